import type { Account } from "#core/model/account.ts";
import { AccountId, RepositoryId, Untrusted } from "#core/model/ids.ts";
import { applyMerge } from "#forges/sandbox/apply-merge.ts";
import { applyReview } from "#forges/sandbox/apply-review.ts";
import { apiOf, serveCall } from "#forges/sandbox/call-endpoint.ts";
import { addComment, addReply, changeCommentBody, removeComment } from "#forges/sandbox/change-comments.ts";
import { addReaction, removeReaction } from "#forges/sandbox/change-reactions.ts";
import { applyDismissal, resolveThread } from "#forges/sandbox/change-review.ts";
import { areAnchored } from "#forges/sandbox/check-anchors.ts";
import { detectPushes, updateHeadRef } from "#forges/sandbox/detect-pushes.ts";
import { editPull } from "#forges/sandbox/edit-pull.ts";
import { inspectPull } from "#forges/sandbox/inspect-pull.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { commitOn, mainBranch, moveBranch, pushBranch, pushForced, rebaseBranch } from "#forges/sandbox/push-branch.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { reportStatus } from "#forges/sandbox/report-status.ts";
import type {
  Sandbox,
  SandboxFaultSource,
  SandboxManner,
  SandboxPerson,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import { createSandboxClient } from "#forges/sandbox/sandbox-client.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import {
  createWorld,
  entryOf,
  findTip,
  mayWrite,
  newestOf,
  type PullEntry,
  permissionIn,
  type Repository,
  repositoryOf,
  type World,
} from "#forges/sandbox/world.ts";
import type { Clock } from "#ports/clock.ts";
import { usualGateName } from "#ports/forge.ts";
import type { GitHost } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export interface SandboxOptions {
  readonly host: GitHost;
  readonly clock: Clock;
  readonly manner: SandboxManner;
  readonly quirks?: Partial<SandboxQuirks>;
  readonly faults?: SandboxFaultSource;
}

export function createSandbox({ host, clock, manner, quirks, faults = () => null }: SandboxOptions): Sandbox {
  return openSandbox(createWorld({ host, clock, manner, faults, quirks: { ...defaultQuirks[manner], ...quirks } }));
}

export function openSandbox(world: World): Sandbox {
  return {
    manner: world.manner,
    addAccount: ({ login, kind }) => {
      const account: Account = { id: AccountId.parse(world.nextId()), login, kind };
      world.accounts.set(account.id, account);
      return account;
    },
    createRepository: (made) => world.inTurn(() => createRepository(world, made)),
    setPermission: ({ repository, account, permission }) => {
      repositoryOf(world, repository).permissions.set(account.id, permission);
    },
    as: (account) => personOf(world, account),
    clientOf: (account, clock = world.clock, gateName = usualGateName) =>
      createSandboxClient({
        caller: { api: apiOf(world, account), clock },
        manner: world.manner,
        quirks: world.quirks,
        account,
        gateName,
      }),
    serve: (asked, work) => serveCall(world, asked, work),
    look: (pull) => inspectPull(world, entryOf(world, pull)),
    history: world.history,
    subscribe: (listener) => {
      world.listeners.push(listener);
    },
    deliveries: world.deliveries,
    redeliver: (id) => redeliver(world, id),
  };
}

async function createRepository(
  world: World,
  { name, by, files }: Parameters<Sandbox["createRepository"]>[0],
): Promise<RepositoryRef> {
  const { host } = world;
  await host.createRepository(name);
  const ref = { id: RepositoryId.parse(world.nextId()), name };
  const repository: Repository = {
    ref,
    permissions: new Map([[by.id, "admin"]]),
    tips: new Map(),
    pulls: new Map(),
    statuses: new Map(),
    commits: new Map(),
    mergeable: new Map(),
    diffs: new Map(),
    lastGivenTo: by,
  };
  world.repositories.set(ref.id, repository);
  const made = { parent: undefined, changes: files, message: "Begin" };
  const commit = await commitOn(world, repository, { by, made });
  await moveBranch(world, repository, { by, branch: mainBranch, to: commit });
  return ref;
}

function redeliver({ manner, deliveries, listeners }: World, id: string): void {
  if (manner === "gitea") throw new Error("Gitea does not redeliver");
  const delivery = deliveries.find((candidate) => candidate.id === id);
  if (delivery === undefined) throw new Error(`there was no delivery ${id}`);
  for (const listener of listeners) listener(delivery);
}

function personOf(world: World, by: Account): SandboxPerson {
  const inRepository = <Result>(ref: RepositoryRef, work: (repository: Repository) => Promise<Result> | Result) =>
    world.inTurn(async () => {
      const repository = repositoryOf(world, ref);
      if (permissionIn(repository, by) === "none")
        throw new EndpointRefusal(404, `${by.login} does not see ${ref.name}`);
      await detectPushes(world, repository);
      return work(repository);
    });
  const onPull = <Result>(ref: PullRef, work: (entry: PullEntry) => Promise<Result> | Result) =>
    inRepository(ref.repository, () => work(entryOf(world, ref)));
  return {
    push: ({ repository, ...push }) => inRepository(repository, (known) => pushBranch(world, known, { by, ...push })),
    forcePush: ({ repository, ...push }) =>
      inRepository(repository, (known) => pushForced(world, known, { by, ...push })),
    rebase: (ref) => onPull(ref, (entry) => rebaseBranch(world, entry, by)),
    openPull: ({ repository, isDraft = false, ...opening }) =>
      inRepository(repository, async (known) => (await openPull(world, known, { by, isDraft, ...opening })).ref),
    editPull: (ref, edit) => onPull(ref, (entry) => editPull(world, entry, { by, edit })),
    merge: (ref) =>
      onPull(ref, async (entry) => void (await applyMerge(world, entry, { by, head: null, waits: "until_known" }))),
    comment: (ref, body) => onPull(ref, (entry) => addComment(world, entry, { by, body }).id),
    editComment: (ref, comment, body) =>
      onPull(ref, (entry) => changeCommentBody(world, entry, { by, comment, body, place: "anywhere" })),
    deleteComment: (ref, comment) => onPull(ref, (entry) => removeComment(world, entry, { by, comment })),
    review: (ref, made) => onPull(ref, (entry) => review(world, entry, { by, ...made })),
    dismissReview: (ref, id) => onPull(ref, (entry) => applyDismissal(world, entry, { by, review: id })),
    reply: (ref, thread, body) => onPull(ref, (entry) => addReply(world, entry, { by, thread, body }).id),
    resolveThread: (ref, thread) => onPull(ref, (entry) => resolveThread(world, entry, { by, thread })),
    react: (ref, content) => onPull(ref, (entry) => void addReaction(world, entry, { by, content })),
    unreact: (ref, content) => onPull(ref, (entry) => removeReaction(world, entry, { by, content })),
    report: ({ repository, ...report }) =>
      inRepository(repository, async (known) => {
        const form = world.manner === "github" && by.kind === "bot" ? "check_run" : "status";
        await reportStatus(world, known, { by, form, words: "", isGate: false, ...report });
      }),
  };
}

type ReviewMade = Parameters<SandboxPerson["review"]>[1] & { readonly by: Account };

/** The browser offers only lines that are shown, and the head that it shows. */
async function review(world: World, entry: PullEntry, { remarks = [], ...made }: ReviewMade) {
  const commit = newestOf(entry).head.sha;
  const anchored = await areAnchored(world, entry, { remarks, commit });
  if (anchored.includes(false)) throw new EndpointRefusal(422, "a remark lies outside of the diff");
  return (await applyReview(world, entry, { ...made, remarks, commit, breaksDown: false })).id;
}

interface Opening {
  readonly by: Account;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

/** An account that may not write opens it from a fork, whose branches are kept here. */
async function openPull(world: World, repository: Repository, opening: Opening): Promise<PullEntry> {
  const { by } = opening;
  const state = firstState(world, repository, opening);
  const number = repository.pulls.size + 1;
  const ref = { repository: repository.ref, number };
  const entry: PullEntry = { ref, repository, versions: [{ at: state.createdAt, state }] };
  repository.pulls.set(number, entry);
  const what = { kind: "opened", head: state.head.sha, base: opening.base, body: opening.body } as const;
  world.history.push({ at: state.createdAt, by, repository: repository.ref, pull: ref, what });
  await updateHeadRef(world, entry);
  sendWebhooks(world, ref, { kind: "opened" });
  return entry;
}

function firstState(world: World, repository: Repository, opening: Opening): PullState {
  const { by, branch, base, title, body, isDraft } = opening;
  const head = findTip(repository, branch);
  const tip = findTip(repository, base);
  if (head === undefined || tip === undefined)
    throw new EndpointRefusal(422, `there is no branch ${branch} or no ${base}`);
  if (head === tip) throw new EndpointRefusal(422, `no commits between ${base} and ${branch}`);
  for (const other of repository.pulls.values()) {
    const { state, ...known } = newestOf(other);
    if (state === "open" && known.head.branch === branch && known.base.branch === base) {
      throw new EndpointRefusal(422, `a pull already exists for ${branch}`);
    }
  }
  const at = world.now();
  return {
    title: Untrusted.parse(title),
    body: Untrusted.parse(body),
    bodyEdits: [],
    author: by,
    createdAt: at,
    changedAt: at,
    state: "open",
    isDraft,
    head: { sha: head, branch, isFork: !mayWrite(repository, by), pushedAt: at },
    heads: [head],
    base: { branch: base, since: at, tip },
    movedAt: at,
    labels: [],
    requests: [],
    comments: [],
    reviews: [],
    threads: [],
    reactions: [],
    commentReactions: [],
    merged: null,
  };
}

export const defaultQuirks: Readonly<Record<SandboxManner, SandboxQuirks>> = {
  github: {
    repointsReviews: true,
    refusesForeignAnchors: true,
    unknownEventIsPending: false,
    leaksPendingReviews: false,
    listsOriginalBodies: false,
    sendsSpuriousSynchronized: false,
    hidesBodyEdits: false,
    mergeabilityDelayMs: 5_000,
    cutsTimesToSeconds: true,
    hidesPushTimes: false,
    hidesPermissions: false,
    hidesAccountKinds: false,
    resolvesThreads: true,
    reactsToReviews: true,
    outdatesThreads: true,
    remarksOnRanges: true,
    hunkLinesMax: null,
    writesPerMinuteMax: null,
    callsPerHourMax: null,
    pageSize: 100,
  },
  gitea: {
    repointsReviews: false,
    refusesForeignAnchors: false,
    unknownEventIsPending: true,
    leaksPendingReviews: true,
    listsOriginalBodies: true,
    sendsSpuriousSynchronized: true,
    hidesBodyEdits: true,
    mergeabilityDelayMs: 2_000,
    cutsTimesToSeconds: true,
    hidesPushTimes: true,
    hidesPermissions: true,
    hidesAccountKinds: true,
    resolvesThreads: false,
    reactsToReviews: true,
    outdatesThreads: false,
    remarksOnRanges: false,
    hunkLinesMax: 4,
    writesPerMinuteMax: null,
    callsPerHourMax: null,
    pageSize: 50,
  },
};
