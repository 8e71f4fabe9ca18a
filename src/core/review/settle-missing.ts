import { compareText } from "#core/compare-text.ts";
import type { Finding } from "#core/model/finding.ts";
import type { ReviewRound } from "#core/review/review-round.ts";

/** What became of a known finding that was not found again. */
export interface SettledMissing {
  readonly kind: "stands" | "fixed" | "settled";
  readonly finding: Finding;
}

/**
 * Silence fixes a finding only when its role read the file, and then only if the code is gone or the role would have
 * said it again: a model that does not mention something has merely not mentioned it.
 */
export function settleMissing(missing: readonly Finding[], round: ReviewRound): readonly SettledMissing[] {
  const newPaths = newPathsOf(round.renames);
  const unread = new Map(
    [...round.coverage].map(([role, coverage]) => [role, new Set(coverage.unread.map(({ path }) => path))]),
  );
  return missing.map((known): SettledMissing => {
    const path = newPaths.get(known.path) ?? known.path;
    const finding = { ...known, path };
    if (known.state.kind === "resolved") return { kind: "settled", finding };
    const holes = unread.get(known.role);
    const wasRead = holes !== undefined && !holes.has(known.path) && !holes.has(path);
    if (!wasRead || !(round.gone.has(known.id) || round.deterministicRoles.has(known.role))) {
      return { kind: "stands", finding };
    }
    const resolution = { how: "fixed", head: round.head } as const;
    return { kind: "fixed", finding: { ...finding, state: { kind: "resolved", resolution } } };
  });
}

/** Old path to new path; of several copies the first in the order of names. */
function newPathsOf(renames: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const lastFirst = [...renames].toSorted(([left], [right]) => compareText(right, left));
  return new Map(lastFirst.map(([path, old]) => [old, path]));
}
