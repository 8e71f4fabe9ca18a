import type { Diff } from "#core/diff/diff.ts";
import { type PackedDiff, packDiff } from "#core/prompt/pack-diff.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import { readRolePaths } from "#core/review/role-paths.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

interface ChangeToPack {
  readonly diff: Diff;
  readonly brief: Pick<RoleBrief, "paths">;
  readonly excludedPaths: readonly string[];
  /** What the base branch calls generated: it never changes what is sent. */
  readonly isMarked?: ((path: string) => boolean) | undefined;
  readonly limits: Pick<ReviewLimits, "callTokensMax" | "callsMax">;
}

export function packChange({ diff, brief, excludedPaths, isMarked, limits }: ChangeToPack): {
  readonly packed: PackedDiff;
  readonly notes: readonly string[];
} {
  const { isWanted, notes } = readRolePaths({ brief, excludedPaths });
  return { packed: packDiff(diff, { ...limits, isMarked, isExcluded: (path) => !isWanted(path) }), notes };
}
