import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { PullSight } from "#github-like/sight.ts";

export interface PullDiff {
  readonly bytes: Uint8Array;
  readonly diff: Diff;
}

/** What the pull changes, as this call gets to see it. */
export async function readPullDiff({ sight, entry, state }: PullSight): Promise<PullDiff | undefined> {
  const { host } = sight.world;
  const read = await host.diff({ repository: entry.repository.ref.name, base: state.base.tip, head: state.head.sha });
  if (read === undefined) return undefined;
  const outcome = parseDiff(read.bytes);
  return outcome.kind === "diff" ? { bytes: read.bytes, diff: outcome.diff } : undefined;
}
