import type { Diff } from "#core/diff/diff.ts";
import { type PackedDiff, packDiff } from "#core/prompt/pack-diff.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import { codeSpan } from "#core/words/plain.ts";
import { type PathFilter, readPathFilter } from "#reviewers/model/path-filter.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

interface ChangeToPack {
  readonly diff: Diff;
  readonly brief: Pick<RoleBrief, "paths">;
  readonly excludedPaths: readonly string[];
  /** What the base branch calls generated; only how much is left to be read depends on it, never what is sent. */
  readonly isMarked?: ((path: string) => boolean) | undefined;
  readonly limits: Pick<ReviewLimits, "callTokensMax" | "callsMax">;
}

/** What of a change a role looks at, packed for its conversations; `notes` are sentences about patterns of no use. */
export function packChange({ diff, brief, excludedPaths, isMarked, limits }: ChangeToPack): {
  readonly packed: PackedDiff;
  readonly notes: readonly string[];
} {
  const only = readPathFilter(brief.paths);
  const excluded = readPathFilter(excludedPaths);
  return {
    packed: packDiff(diff, { ...limits, isMarked, isExcluded: (path) => !isWanted(path, { only, excluded }) }),
    notes: [
      ...unusableNotes(only, "so this role looked at everything"),
      ...unusableNotes(excluded, "so it excludes nothing"),
    ],
  };
}

/** A mistake in a pattern must not keep code from being read: that would pass for a review without findings. */
function isWanted(
  path: string,
  { only, excluded }: { readonly only: PathFilter; readonly excluded: PathFilter },
): boolean {
  const isEverything = only.isEmpty || only.unusable.length > 0;
  return !excluded.matches(path) && (isEverything || only.matches(path));
}

function unusableNotes({ unusable }: PathFilter, consequence: string): readonly string[] {
  return unusable.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, ${consequence}.`);
}
