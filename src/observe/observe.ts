import { restoreRecords } from "#core/blocks/records-from-blocks.ts";
import { linkThreads } from "#core/effects/finding-mark.ts";
import { isOwnManaged } from "#core/effects/managed-effect.ts";
import type { OwnAccount } from "#core/effects/own-account.ts";
import { managedComments } from "#core/effects/own-effects.ts";
import type { Account, Permission, PermissionOf } from "#core/model/account.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { markBots } from "#core/model/mark-bots.ts";
import type { Observation } from "#core/model/observation.ts";
import { Records, type ReviewRun, type SessionRecord } from "#core/model/records.ts";
import { sessionEndWords } from "#core/words/session-words.ts";
import { fetchChangeFacts } from "#observe/change-facts.ts";
import {
  areNotesForeign,
  type BlockReader,
  createBlockReader,
  type OwnBlocks,
  rememberedBlocks,
} from "#observe/own-blocks.ts";
import { type AddAutomatic, repositoryAutomatic } from "#observe/repository-rules.ts";
import { checkForStaleRead } from "#observe/stale-read.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { type FetchedPull, ForgeError, type Identity } from "#ports/forge.ts";
import { reviewJobKey, sessionJobKey } from "#ports/job-entries.ts";
import { type PullKey, type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { PullContent } from "#ports/store.ts";

export type ObserveOutcome =
  | { readonly kind: "seen"; readonly observed: ObservedPull }
  /** The forge showed less than before, so it may show its past, on which nothing is decided. */
  | { readonly kind: "stale"; readonly retryAt: Instant; readonly why: string };

export interface ObservedPull {
  readonly ref: PullRef;
  readonly key: PullKey;
  readonly seen: Observation;
  /** On this machine's clock, before the forge was asked. */
  readonly askedAt: Instant;
  readonly headRef: string;
  readonly blocks: OwnBlocks;
  /** All of Drover's notes here, in its current roles, are signed with another secret. */
  readonly areNotesForeign: boolean;
}

export interface Observer {
  observe(ref: PullRef): Promise<ObserveOutcome>;
}

type Needed = Pick<
  Dependencies,
  | "instance"
  | "version"
  | "forge"
  | "git"
  | "store"
  | "queue"
  | "clock"
  | "log"
  | "secret"
  | "rulesOf"
  | "addBaseRules"
  | "durations"
>;

/** Our own account changes only with the configuration. */
const identityMsMax = 60 * 60 * 1000;

export interface ObserverOptions {
  readonly isPolled?: ((repository: string) => boolean) | undefined;
  /** Finds Drover's account by its texts if the secret is unknown; by default it is the owner of the token. */
  readonly findOwn?: ((seen: FetchedPull, owner: Account) => OwnAccount) | undefined;
}

export function createObserver(parts: Needed, { isPolled = () => false, findOwn }: ObserverOptions = {}): Observer {
  let known: { readonly identity: Identity; readonly until: Instant } | undefined;
  const blockReader = createBlockReader(parts);
  const addAutomatic = repositoryAutomatic(parts);
  const fetchIdentity = async (): Promise<Identity> => {
    const now = parts.clock.now();
    if (known === undefined || known.until < now) {
      known = { identity: await parts.forge.fetchIdentity(), until: after(now, identityMsMax) };
    }
    return known.identity;
  };
  return {
    observe: async (ref) => {
      const place = { ref, isPolled: isPolled(ref.repository.name) };
      return look(parts, { ...place, identity: await fetchIdentity(), blockReader, addAutomatic, findOwn });
    },
  };
}

interface Looking {
  readonly ref: PullRef;
  readonly isPolled: boolean;
  readonly identity: Identity;
  readonly blockReader: BlockReader;
  readonly addAutomatic: AddAutomatic;
  readonly findOwn: ObserverOptions["findOwn"];
}

const emptyContent: PullContent = {
  records: Records.parse({}),
  blocks: {},
  sight: { changedAt: null, remarks: [], missingSince: null },
};

async function look(parts: Needed, looking: Looking): Promise<ObserveOutcome> {
  const { ref, isPolled, identity: asOwner, blockReader, findOwn } = looking;
  const askedAt = parts.clock.now();
  const key = pullKeyOf(parts.instance, ref);
  // Throws before the forge is asked if only a later version can read the records.
  await parts.store.findPull(key);
  const told = await parts.forge.fetchPull(ref);
  const { bot, doubtful } = findOwn?.(told, asOwner.bot) ?? { bot: asOwner.bot, doubtful: [] };
  const identity = { ...asOwner, bot };
  const context = { instance: parts.instance, repository: ref.repository.id, pull: ref.number };
  const isOurs = findOwn === undefined ? isOwnManaged(context, parts.secret) : () => true;
  const pullSeen = markBots(told, (account) => doubtful.some(({ id }) => id === account.id));
  const stored = await parts.store.findPull(key);
  const before = stored ?? { ...emptyContent, version: 0 };
  const judged = checkForStaleRead(before.sight, pullSeen, { now: askedAt, settleMs: parts.durations.settleMs });
  const read = blockReader.read(pullSeen, { bot: identity.bot, key, blocks: before.blocks });
  // A database that knows the blocks is the truth; what it does not know is restored from them.
  const isKnown = stored !== undefined && read.accepted.every(({ key: blockKey }) => blockKey in before.blocks);
  const isCut = pullSeen.limitsReached.length > 0;
  const filled = isKnown
    ? before.records
    : markLost(restoreRecords(before.records, read.accepted, { isCut }), stored !== undefined);
  const records = { ...filled, findings: linkThreads({ ...pullSeen, bot: identity.bot }, filled.findings) };
  const content: PullContent = {
    records,
    blocks: isKnown ? before.blocks : { ...rememberedBlocks(read), ...before.blocks },
    sight: judged.sight,
  };
  if (isChanged(before, content)) {
    const saved = await parts.store.savePull({ pull: key, content, expectedVersion: before.version });
    if (saved === "stale") return { kind: "stale", retryAt: askedAt, why: "the records were changed meanwhile" };
  }
  if (judged.kind === "stale") return { kind: "stale", retryAt: judged.retryAt, why: judged.why };
  const rules = await looking.addAutomatic(await parts.rulesOf(pullSeen.pull), ref, pullSeen.pull);
  const permissions = await fetchPermissions(parts, { ref, pullSeen, bot: identity.bot });
  const change = await fetchChangeFacts(parts, { ref, pullSeen, records, rules });
  const marked = await markInterrupted(parts, key, records);
  // A job records its end and then leaves the queue: read in between, it would look interrupted and be paid for again.
  if (marked !== records && (await isWrittenSince(parts, key, before, content))) {
    return { kind: "stale", retryAt: askedAt, why: "a job has ended meanwhile" };
  }
  const seen: Observation = {
    observedAt: pullSeen.observedAt,
    instance: parts.instance,
    ...(parts.version === undefined ? {} : { version: parts.version }),
    isPolled,
    bot: identity.bot,
    capabilities: { ...identity.capabilities, ...(pullSeen.mayApprove === false ? { mayApprove: false } : {}) },
    rules,
    pull: { ...pullSeen.pull, head: { ...pullSeen.pull.head, patch: change.patch } },
    comments: pullSeen.comments,
    reviews: pullSeen.reviews,
    threads: pullSeen.threads,
    reactions: pullSeen.reactions,
    checks: pullSeen.checks,
    permissions,
    teams: [],
    changedPaths: change.changedPaths,
    codeOwners: change.codeOwners,
    gate: pullSeen.gate,
    managedComment: findManagedComment(pullSeen, bot, isOurs),
    records: marked,
    signedReviews: read.signedReviews,
    refusedBlocks: read.refused,
    limitsReached: [...pullSeen.limitsReached, ...change.limitsReached],
  };
  const roles = new Set(rules.reviews.roles.map(({ name }) => name));
  const isForeign = areNotesForeign(pullSeen, { bot, read, roles });
  const observed = { ref, key, seen, askedAt, headRef: pullSeen.headRef, blocks: read, areNotesForeign: isForeign };
  return { kind: "seen", observed };
}

async function isWrittenSince(
  parts: Needed,
  key: PullKey,
  before: PullContent & { readonly version: number },
  content: PullContent,
): Promise<boolean> {
  const expected = isChanged(before, content) ? before.version + 1 : before.version;
  return (await parts.store.findPull(key))?.version !== expected;
}

/** After a lost database no worker runs what was running. */
function markLost(records: Records, isDatabaseThere: boolean): Records {
  if (isDatabaseThere) return records;
  return {
    ...records,
    runs: records.runs.map((run) => (run.state.kind === "running" ? { ...run, state: { kind: "interrupted" } } : run)),
    sessions: records.sessions.map((session) =>
      session.state.kind === "running" ? { ...session, state: interruptedSession } : session,
    ),
  };
}

function isChanged(before: PullContent, now: PullContent): boolean {
  const isSameRecords =
    before.records.findings === now.records.findings &&
    before.records.commands === now.records.commands &&
    before.blocks === now.blocks;
  return !isSameRecords || before.sight !== now.sight;
}

/** Asked each time, of everybody who spoke, judged or reacted. */
async function fetchPermissions(
  parts: Needed,
  { ref, pullSeen: seen, bot }: { readonly ref: PullRef; readonly pullSeen: FetchedPull; readonly bot: Account },
): Promise<readonly PermissionOf[]> {
  const people = new Map<string, Account>([[seen.pull.author.id, seen.pull.author]]);
  const authored = [
    ...seen.comments,
    ...seen.reviews,
    ...seen.reactions,
    ...seen.threads.flatMap((one) => one.comments),
  ];
  for (const { author } of authored) people.set(author.id, author);
  people.delete(bot.id);
  const told: PermissionOf[] = [];
  for (const account of people.values()) {
    told.push({ account: account.id, permission: await fetchPermission(parts, ref, account) });
  }
  return told;
}

/** An unknown permission counts as none, and the pull is observed all the same. */
async function fetchPermission({ forge }: Needed, { repository }: PullRef, account: Account): Promise<Permission> {
  try {
    return await forge.fetchPermission({ repository, account });
  } catch (error) {
    const isRefusal = error instanceof ForgeError && ["not_found", "forbidden", "refused"].includes(error.kind);
    if (!isRefusal) throw error;
    return "undetermined";
  }
}

/** The oldest, should there be two: the other one is a duplicate that will be blanked. */
function findManagedComment(
  { comments }: FetchedPull,
  bot: Account,
  isOurs: (body: string) => boolean,
): Observation["managedComment"] {
  const [oldest] = managedComments({ bot, comments }, isOurs);
  return oldest === undefined ? null : { comment: oldest.comment, digest: oldest.digest };
}

/** A worker died between recording a run and starting its job. Without any such run the same records come back. */
async function markInterrupted(
  dependencies: Pick<Dependencies, "queue">,
  pull: PullKey,
  records: Records,
): Promise<Records> {
  const { queue } = dependencies;
  let isAnyLost = false;
  const runs: ReviewRun[] = [];
  for (const run of records.runs) {
    const isLost = isAlive(run) && (await queue.find({ queue: "review", key: reviewJobKey(pull, run) })) === undefined;
    isAnyLost ||= isLost;
    runs.push(isLost ? { ...run, state: { kind: "interrupted" } } : run);
  }
  const sessions: SessionRecord[] = [];
  for (const session of records.sessions) {
    const key = sessionJobKey(pull, session);
    const isLost = isAlive(session) && (await queue.find({ queue: "session", key })) === undefined;
    isAnyLost ||= isLost;
    sessions.push(isLost ? { ...session, state: interruptedSession } : session);
  }
  return isAnyLost ? { ...records, runs, sessions } : records;
}

/** Whether an agent had begun is unknown; if so, it had no result. */
const interruptedSession: SessionRecord["state"] = {
  kind: "unfinished",
  cause: "not_begun",
  why: sessionEndWords.interrupted,
};

function isAlive({ state }: ReviewRun | SessionRecord): boolean {
  return state.kind === "running";
}
