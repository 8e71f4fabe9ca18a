import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { indexLines } from "#core/diff/line-index.ts";
import { newLineOf } from "#core/diff/line-map.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { ThreadState } from "#forges/sandbox/pull-state.ts";
import { newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

/**
 * Where the threads of a pull stand after a push: GitHub lets them go along with their line, and those whose line is
 * gone, or that cannot be followed over a rewritten history, are outdated and have none. Gitea leaves them where they are.
 */
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
  if (thread.side === "old" || thread.line === null) return thread;
  if (diff === undefined) return { ...thread, line: null };
  const file = diff.files.find(({ oldPath }) => oldPath?.text === thread.path);
  if (file === undefined) return thread;
  return { ...thread, line: newLineOf(indexLines(diff, file), thread.line) ?? null };
}
