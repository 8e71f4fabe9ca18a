import { compareText } from "#core/compare-text.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import { alignFindings, type Pair } from "#core/review/align-findings.ts";
import type { CodeOf } from "#core/review/finding-code.ts";
import { codeNumberKey } from "#core/review/finding-identity.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { groupBy } from "#core/review/group-by.ts";
import { pairLikeFindings } from "#core/review/pair-like-findings.ts";

export interface FindingsToMatch {
  readonly known: readonly Finding[];
  /** No place twice. */
  readonly found: readonly RawFinding[];
  /** New path to old path, since the known ones were last seen. */
  readonly renames: ReadonlyMap<string, string>;
  /** Known findings whose code is certainly no longer there. */
  readonly gone: ReadonlySet<FindingId>;
  /** From which score on findings of a role block. */
  readonly blockingOf: (role: string) => number;
  /** Of the known and the found ones, read together. */
  readonly codeOf: CodeOf;
  readonly isJudged: (finding: RawFinding) => boolean;
  readonly isReadBefore: (found: RawFinding) => boolean;
}

export interface FindingMatch extends Pair {
  readonly by: "identity" | "rename" | "likeness";
}

export interface MatchedFindings {
  readonly matches: readonly FindingMatch[];
  readonly missing: readonly Finding[];
  readonly fresh: readonly RawFinding[];
}

/**
 * Which of the findings are known already. Surest first: the same rule on the same code, then the same through a
 * rename, then what is much alike. Each finding has at most one partner, and the order of the lists does not matter.
 */
export function matchFindings(input: FindingsToMatch): MatchedFindings {
  const matches: FindingMatch[] = [];
  let missing: readonly Finding[] = input.known.toSorted(
    (left, right) => compareFindings(left, right) || compareText(left.id, right.id),
  );
  let fresh: readonly RawFinding[] = input.found.toSorted(compareFindings);
  const take = (by: FindingMatch["by"], pairs: readonly Pair[]): void => {
    matches.push(...pairs.map((pair) => ({ ...pair, by })));
    const taken = new Set<RawFinding>(pairs.flatMap(({ known, found }) => [known, found]));
    missing = missing.filter((known) => !taken.has(known));
    fresh = fresh.filter((found) => !taken.has(found));
  };
  take(
    "identity",
    pairEqualFindings({ ...input, known: missing, found: fresh }, ({ path }) => path),
  );
  take(
    "rename",
    pairEqualFindings({ ...input, known: missing, found: fresh }, ({ path }) => input.renames.get(path)),
  );
  take("likeness", pairLikeFindings({ ...input, known: missing, found: fresh }));
  return { matches, missing, fresh };
}

/** `knownPath` says under which path a found one was known, if at all. */
function pairEqualFindings(
  { known, found, gone, codeOf }: FindingsToMatch,
  knownPath: (found: RawFinding) => string | undefined,
): readonly Pair[] {
  const knownByCode = groupBy(known, (one) => codeNumberKey(one, codeOf));
  const foundByCode = groupBy(found, (one) => {
    const path = knownPath(one);
    return path === undefined ? undefined : codeNumberKey(one, codeOf, path);
  });
  return [...foundByCode].flatMap(([key, equal]) => {
    const candidates = key === undefined ? [] : (knownByCode.get(key) ?? []);
    return pairEqualCode(candidates, equal, (one) => strength(one, gone));
  });
}

/** Where fewer places are left than are known, the strongest claims keep theirs. */
function pairEqualCode(
  known: readonly Finding[],
  found: readonly RawFinding[],
  claim: (known: Finding) => number,
): readonly Pair[] {
  if (known.length <= found.length) return alignFindings({ known, found, mayMiss: () => false });
  const last = known.map(claim).toSorted((left, right) => left - right)[found.length - 1] ?? 0;
  return alignFindings({
    known: known.filter((one) => claim(one) <= last),
    found,
    mayMiss: (one) => claim(one) === last,
  });
}

/**
 * Smaller is stronger. What stands comes before what was conceded or waived: else somebody could remove the place that
 * was conceded and let the other one slip into its precedent. Code that is gone has a weaker claim, and what was fixed
 * has the weakest, since it is raised anew when its code is back.
 */
function strength({ id, state }: Finding, gone: ReadonlySet<FindingId>): number {
  const presence = gone.has(id) ? 1 : 0;
  if (state.kind !== "resolved") return 2 * presence;
  return state.resolution.how === "fixed" ? 4 + presence : 1 + 2 * presence;
}
