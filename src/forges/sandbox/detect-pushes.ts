import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { followLines } from "#core/diff/follow-lines.ts";
import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { ThreadState } from "#forges/sandbox/pull-state.ts";
import { recordInRepository, recordPullChange } from "#forges/sandbox/record-change.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import {
  addVersion,
  branchPrefix,
  newestOf,
  type PullEntry,
  type Repository,
  type World,
} from "#forges/sandbox/world.ts";

/** Git is pushed to directly, so this is called before all that reads or changes a repository, in its turn. */
export async function detectPushes(world: World, repository: Repository, by = repository.lastGivenTo): Promise<void> {
  const refs = await world.host.refsOf(repository.ref.name);
  const pushes = findPushes(repository, refs);
  for (const { ref, from, to } of pushes) await takeIn(world, repository, { ref, from, to, by });
}

interface Push {
  readonly ref: string;
  readonly from: HeadSha | null;
  readonly to: HeadSha | null;
}

/** Asked before every call, so it makes no text: branches are compared by their refs. */
function findPushes({ tips }: Repository, refs: ReadonlyMap<string, HeadSha>): readonly Push[] {
  const pushes: Push[] = [];
  let known = 0;
  for (const [ref, to] of refs) {
    if (!ref.startsWith(branchPrefix)) continue;
    const from = tips.get(ref) ?? null;
    if (from !== null) known++;
    if (from !== to) pushes.push({ ref, from, to });
  }
  if (known === tips.size) return pushes;
  for (const [ref, from] of tips) if (!refs.has(ref)) pushes.push({ ref, from, to: null });
  return pushes;
}

async function takeIn(world: World, repository: Repository, push: Push & { readonly by: Account }): Promise<void> {
  const { ref, from, to, by } = push;
  const branch = ref.slice(branchPrefix.length);
  if (to === null) repository.tips.delete(ref);
  else repository.tips.set(ref, to);
  if (to !== null) recordInRepository(world, repository, { by, what: { kind: "pushed", branch, from, to } });
  for (const entry of repository.pulls.values()) {
    const { state, head, base } = newestOf(entry);
    if (state !== "open") continue;
    if (to === null) {
      if (head.branch === branch || base.branch === branch) close(world, entry, by);
    } else if (head.branch === branch) {
      await moveHead(world, entry, { by, to });
    } else if (base.branch === branch) {
      moveBase(world, entry, to);
    }
  }
}

/** A pull whose branch was taken away can no longer be merged; the forges close it. */
function close(world: World, entry: PullEntry, by: Account): void {
  const what = { kind: "pull_edited", fields: ["state"] } as const;
  recordPullChange(world, entry, { by, what, next: { state: "closed" }, moves: "changedAt" });
  sendWebhooks(world, entry.ref, { kind: "closed" });
}

export async function moveHead(
  world: World,
  entry: PullEntry,
  { by, to }: { readonly by: Account; readonly to: HeadSha },
): Promise<void> {
  const { head, heads, reviews } = newestOf(entry);
  const at = world.now();
  const isRepointed =
    world.quirks.repointsReviews && reviews.length > 0 && (await isForced(world, entry, { from: head.sha, to }));
  recordPullChange(world, entry, {
    by,
    what: { kind: "head_changed", from: head.sha, to },
    next: {
      head: { ...head, sha: to, pushedAt: at },
      heads: [...heads, to],
      movedAt: at,
      threads: await followThreads(world, entry, { from: head.sha, to }),
      ...(isRepointed && { reviews: reviews.map((review) => ({ ...review, commit: to })) }),
    },
    moves: "changedAt",
  });
  await updateHeadRef(world, entry);
  sendWebhooks(world, entry.ref, { kind: "pushed" });
}

async function isForced(
  { host }: World,
  { repository }: PullEntry,
  { from, to }: { readonly from: HeadSha; readonly to: HeadSha },
): Promise<boolean> {
  return !(await host.isAncestor({ repository: repository.ref.name, older: from, newer: to }));
}

/** Not a change of the pull, so not in the history; but mergeability is open again. */
function moveBase(world: World, entry: PullEntry, tip: HeadSha): void {
  const at = world.now();
  const before = newestOf(entry);
  addVersion(entry, { at, state: { ...before, base: { ...before.base, tip }, movedAt: at } });
}

/** Git finds the head there even without the branch. */
export async function updateHeadRef({ host }: World, entry: PullEntry): Promise<void> {
  const { number, repository } = entry.ref;
  await host.setRef({ repository: repository.name, ref: headRefOf(number), to: newestOf(entry).head.sha });
}

export function headRefOf(number: number): string {
  return `refs/pull/${number}/head`;
}

/** On GitHub locations move with their line; a line that is gone or cannot be followed leaves none. Gitea leaves them. */
async function followThreads(
  { host, quirks }: World,
  entry: PullEntry,
  { from, to }: { readonly from: HeadSha; readonly to: HeadSha },
): Promise<readonly ThreadState[]> {
  const { threads } = newestOf(entry);
  if (!quirks.outdatesThreads || threads.length === 0) return threads;
  const read = await host.diff({ repository: entry.repository.ref.name, base: from, head: to });
  const outcome = read?.mergeBase === from ? parseDiff(read.bytes) : undefined;
  const diff = outcome?.kind === "diff" ? outcome.diff : undefined;
  return threads.map((thread) => follow(thread, diff));
}

/** A push moves nothing on the old side. */
function follow(thread: ThreadState, diff: Diff | undefined): ThreadState {
  const { path, side, line, startLine } = thread;
  if (side === "old" || line === null) return thread;
  const moved = diff && followLines(diff, { path, first: startLine ?? line, last: line });
  if (moved === undefined) return { ...thread, line: null, startLine: null };
  return { ...thread, line: moved.last, startLine: startLine === null ? null : moved.first };
}
