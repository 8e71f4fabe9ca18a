import { compareText } from "#core/compare-text.ts";
import type { Finding } from "#core/model/finding.ts";
import { namesFiles } from "#core/review/coverage.ts";
import type { ReviewRound } from "#core/review/review-round.ts";

export interface SettledMissing {
  readonly kind: "stands" | "fixed" | "settled";
  readonly finding: Finding;
}

/** Silence fixes a finding only if its code is gone, or a role that read the file would have reported it again. */
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

/** A role that was renamed or removed never looks again: without others its findings would stay forever. */
function speaksFor({ role }: Look, known: Finding, { rolesInForce }: ReviewRound): boolean {
  return role === known.role || !rolesInForce.has(known.role);
}

/** Gone code speaks for itself. Otherwise both roles must be fixed rules: a model does not report everything again. */
function proves({ role }: Look, known: Finding, { gone, deterministicRoles }: ReviewRound): boolean {
  return gone.has(known.id) || (deterministicRoles.has(role) && deterministicRoles.has(known.role));
}

/** Of several copies the first in the order of names. */
function newPathsOf(renames: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const lastFirst = [...renames].toSorted(([left], [right]) => compareText(right, left));
  return new Map(lastFirst.map(([path, old]) => [old, path]));
}
