import { compareText } from "#core/compare-text.ts";
import type { Finding } from "#core/model/finding.ts";
import { namesFiles } from "#core/review/coverage.ts";
import type { ReviewRound } from "#core/review/review-round.ts";

/** What became of a known finding that was not found again. */
export interface SettledMissing {
  readonly kind: "stands" | "fixed" | "settled";
  readonly finding: Finding;
}

/**
 * Silence fixes a finding only when a role that may speak for it has read the file, and then only if the code is gone
 * or the finding would have been reported again: a model that does not mention a finding has merely not mentioned it.
 */
export function settleMissing(missing: readonly Finding[], round: ReviewRound): readonly SettledMissing[] {
  const newPaths = newPathsOf(round.renames);
  const looks = looksOf(round);
  return missing.map((known): SettledMissing => {
    const finding = { ...known, path: newPaths.get(known.path) ?? known.path };
    if (known.state.kind === "resolved") return { kind: "settled", finding };
    const paths = [known.path, finding.path];
    const isFixed = looks.some(
      (look) =>
        speaksFor(look, known, round) && paths.every((path) => !look.holes.has(path)) && proves(look, known, round),
    );
    if (!isFixed) return { kind: "stands", finding };
    const resolution = { how: "fixed", head: round.head } as const;
    return { kind: "fixed", finding: { ...finding, state: { kind: "resolved", resolution } } };
  });
}

/** One role's look at the head, with the paths that it did not read. */
interface Look {
  readonly role: string;
  readonly holes: ReadonlySet<string>;
}

/** A look that names no file read nothing, so that its silence means nothing either. */
function looksOf({ coverage }: ReviewRound): readonly Look[] {
  return [...coverage]
    .filter(([, covered]) => namesFiles(covered))
    .map(([role, { unread }]) => ({ role, holes: new Set(unread.map(({ path }) => path)) }));
}

/** A role that was renamed or taken out of the rules never looks again: without others its findings would stay forever. */
function speaksFor({ role }: Look, known: Finding, { rolesInForce }: ReviewRound): boolean {
  return role === known.role || !rolesInForce.has(known.role);
}

/**
 * If the code is gone, every role that read the file may say so. Otherwise the silence must mean something, for the
 * silent role as for the reporting one: fixed rules never report what a model reported, nor does a model report
 * everything that they did.
 */
function proves({ role }: Look, known: Finding, { gone, deterministicRoles }: ReviewRound): boolean {
  return gone.has(known.id) || (deterministicRoles.has(role) && deterministicRoles.has(known.role));
}

/** Old path to new path; of several copies the first in the order of names. */
function newPathsOf(renames: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const lastFirst = [...renames].toSorted(([left], [right]) => compareText(right, left));
  return new Map(lastFirst.map(([path, old]) => [old, path]));
}
