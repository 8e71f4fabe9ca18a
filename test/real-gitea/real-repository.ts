import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { ForgePerson } from "#contract/forge/world.ts";
import { HeadSha } from "#core/model/ids.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { type GitClone, openClone } from "./git-clone.ts";
import { GiteaRefusal } from "./gitea-api.ts";
import type { GiteaPerson } from "./gitea-people.ts";
import type { GiteaTold } from "./gitea-told.ts";

type By = { readonly by: GiteaPerson };
type Push = Parameters<ForgePerson["push"]>[0];
type ForcePush = Parameters<ForgePerson["forcePush"]>[0];

/** A repository of the server, with the clone that people push from. */
export interface RealRepository {
  readonly ref: RepositoryRef;
  push(request: Push & By): Promise<HeadSha>;
  forcePush(request: ForcePush & By): Promise<void>;
  rebase(request: { readonly branch: string; readonly base: string } & By): Promise<HeadSha>;
  merge(pull: PullRef, by: GiteaPerson): Promise<void>;
  /** Waits until the server knows whether this pull can be merged. */
  settle(pull: PullRef): Promise<void>;
}

const Pull = z.object({
  number: z.number(),
  state: z.string(),
  draft: z.boolean(),
  mergeable: z.boolean(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
});
type Pull = z.infer<typeof Pull>;

const Branch = z.object({ commit: z.object({ id: z.string() }) });
const Event = z.object({ type: z.string(), body: z.string() });
const State = z.object({ empty: z.boolean() });

/** What never comes fails the test by this limit, however slow the machine. */
const waitMsMax = 120_000;
const glanceMs = 10;

export async function openRepository(options: {
  readonly told: GiteaTold;
  readonly ref: RepositoryRef;
  readonly owner: GiteaPerson;
  readonly folder: string;
}): Promise<RealRepository> {
  const { told, ref, owner } = options;
  const clone = await openClone(options.folder);
  const place: RepositoryPlace = { told, ref, owner, clone, known: new Set() };
  return {
    ref,
    push: async ({ branch, changes, message, from, by }) => {
      const parent = (await findTip(place, branch)) ?? from ?? (await findTip(place, "main")) ?? null;
      const commit = await clone.commit({ parent, changes, message, by: by.account.login });
      await land(place, { branch, commit, by, isForced: false });
      return commit;
    },
    forcePush: ({ branch, to, by }) => land(place, { branch, commit: to, by, isForced: true }),
    rebase: async ({ branch, base, by }) => {
      const [head, onto] = [await findTip(place, branch), await findTip(place, base)];
      if (head === undefined || onto === undefined) throw new Error(`there is no branch ${branch} or ${base}`);
      const commit = await clone.rebase({ head, onto, by: by.account.login });
      await land(place, { branch, commit, by, isForced: true });
      return commit;
    },
    merge: (pull, by) => mergeByHand(pull, by),
    settle: async ({ number }) => {
      const pull = Pull.parse(await owner.api.get(`/repos/${ref.name}/pulls/${number}`));
      await settleOne(place, pull);
    },
  };
}

interface RepositoryPlace {
  readonly told: GiteaTold;
  readonly ref: RepositoryRef;
  readonly owner: GiteaPerson;
  readonly clone: GitClone;
  /** What the clone has got: everything else is fetched first. */
  readonly known: Set<string>;
}

/** Where a branch is now, with its commit at hand. */
async function findTip(place: RepositoryPlace, branch: string): Promise<HeadSha | undefined> {
  const { owner, ref, clone, known } = place;
  const told = await owner.api.get(`/repos/${ref.name}/branches/${branch}`).catch((error: unknown) => {
    if (error instanceof GiteaRefusal && error.status === 404) return undefined;
    throw error;
  });
  if (told === undefined) return undefined;
  const tip = HeadSha.parse(Branch.parse(told).commit.id);
  if (!known.has(tip)) await clone.fetchBranches(urlFor(place, owner));
  return tip;
}

async function land(
  place: RepositoryPlace,
  push: { readonly branch: string; readonly commit: HeadSha; readonly isForced: boolean } & By,
): Promise<void> {
  await place.clone.push({ ...push, url: urlFor(place, push.by) });
  place.known.add(push.commit);
  await arrive(place, push);
}

function urlFor({ told, ref }: RepositoryPlace, { account, token }: GiteaPerson): string {
  const url = new URL(`${told.url}/${ref.name}.git`);
  url.username = account.login;
  url.password = token;
  return url.href;
}

/**
 * A push is answered before the server has taken it in: whoever pushed goes on when the pulls show it, as somebody does
 * who reloads the page. What the client makes of the time in between is told by its own tests.
 */
async function arrive(
  place: RepositoryPlace,
  { branch, commit }: { readonly branch: string; readonly commit: HeadSha },
): Promise<void> {
  const { owner, ref } = place;
  // Until the first push is taken in, a repository counts as empty and has no list of pulls.
  await until(`${ref.name} is filled`, async () => !State.parse(await owner.api.get(`/repos/${ref.name}`)).empty);
  const open = z.array(Pull).parse(await owner.api.list(`/repos/${ref.name}/pulls?state=open`));
  for (const pull of open) {
    const { number } = pull;
    if (pull.head.ref === branch) await until(`pull ${number} shows ${commit}`, () => isTakenIn(place, number, commit));
    if (pull.base.ref === branch) await settleOne(place, pull);
  }
}

/**
 * By the answer of the API, by the ref in the server's own repository, and by the timeline, which comes last. A pull that
 * somebody merged or closed meanwhile does not follow its branch any more: nothing is left to wait for.
 */
async function isTakenIn(place: RepositoryPlace, number: number, commit: HeadSha): Promise<boolean> {
  const { told, ref, owner } = place;
  const pull = Pull.parse(await owner.api.get(`/repos/${ref.name}/pulls/${number}`));
  if (pull.state === "closed") return true;
  const file = join(
    told.folder,
    "repositories",
    `${ref.name.toLowerCase()}.git`,
    "refs",
    "pull",
    String(number),
    "head",
  );
  const found = await readFile(file, "utf8").catch(() => "");
  if (found.trim() !== commit || pull.head.sha !== commit) return false;
  const events = z.array(Event).parse(await owner.api.listTimeline(`/repos/${ref.name}/issues/${number}`));
  const push = events.findLast(({ type }) => type === "pull_push");
  return push?.body.includes(commit) === true;
}

/** The server does not tell "not yet known" from "conflicting" or from a draft: git tells us what it will come to. */
async function settleOne(place: RepositoryPlace, { number, head, base, draft }: Pull): Promise<void> {
  const { owner, ref, clone } = place;
  const [tip, onto] = [await findTip(place, head.ref), await findTip(place, base.ref)];
  if (tip === undefined || onto === undefined || draft) return;
  const isMergeable = await clone.isMergeable(onto, tip);
  await until(`pull ${number} is checked`, async () => {
    const { mergeable, state } = Pull.parse(await owner.api.get(`/repos/${ref.name}/pulls/${number}`));
    return state === "closed" || mergeable === isMergeable;
  });
}

async function mergeByHand({ repository, number }: PullRef, { api }: GiteaPerson): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    try {
      await api.send("POST", `/repos/${repository.name}/pulls/${number}/merge`, { Do: "merge" });
      return;
    } catch (error) {
      // "Try again later": the server is still checking, and a person would press the button again.
      const isEarly = error instanceof GiteaRefusal && error.status === 405 && performance.now() < deadline;
      if (!isEarly) throw error;
      await sleep(glanceMs * 5);
    }
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it never came to that: ${what}`);
    await sleep(glanceMs);
  }
}
