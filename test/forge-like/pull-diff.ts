import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import type { PullEntry, World } from "#forges/sandbox/world.ts";

export interface PullDiff {
  readonly bytes: Uint8Array;
  readonly diff: Diff;
}

/** A pull as some call gets to see it. */
export interface PullInSight {
  readonly sight: { readonly world: World };
  readonly entry: PullEntry;
  readonly state: PullState;
}

export async function readPullDiff({ sight, entry, state }: PullInSight): Promise<PullDiff | undefined> {
  const { host } = sight.world;
  const read = await host.diff({ repository: entry.repository.ref.name, base: state.base.tip, head: state.head.sha });
  if (read === undefined) return undefined;
  const outcome = parseDiff(read.bytes);
  return outcome.kind === "diff" ? { bytes: read.bytes, diff: outcome.diff } : undefined;
}
