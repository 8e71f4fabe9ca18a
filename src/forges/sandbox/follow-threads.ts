import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { followLines } from "#core/diff/follow-lines.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { ThreadState } from "#forges/sandbox/pull-state.ts";
import { newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

/** On GitHub locations move with their line; a line that is gone or cannot be followed leaves none. Gitea leaves them. */
export async function followThreads(
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
