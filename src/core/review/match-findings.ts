import { groupBy } from "#core/group-by.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import { alignFindings, type Pair } from "#core/review/align-findings.ts";
import { type CodeOf, isBlankSnippet } from "#core/review/finding-code.ts";
import { codeNumberKey } from "#core/review/finding-identity.ts";
import { compareFindings, compareKnown } from "#core/review/finding-order.ts";
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
  readonly by: "place" | "identity" | "rename" | "likeness";
}

export interface MatchedFindings {
  readonly matches: readonly FindingMatch[];
  readonly missing: readonly Finding[];
  readonly fresh: readonly RawFinding[];
}

/** Surest first: rules by rules and models by models before others. One partner each, in any order of the lists. */
export function matchFindings(input: FindingsToMatch): MatchedFindings {
  const matches: FindingMatch[] = [];
  let missing: readonly Finding[] = input.known.toSorted(compareKnown);
  let fresh: readonly RawFinding[] = input.found.toSorted(compareFindings);
  const take = (by: FindingMatch["by"], pair: (left: FindingsToMatch) => readonly Pair[]): void => {
    const pairs = pair({ ...input, known: missing, found: fresh });
    matches.push(...pairs.map((one) => ({ ...one, by })));
    const taken = new Set<RawFinding>(pairs.flatMap(({ known, found }) => [known, found]));
    missing = missing.filter((known) => !taken.has(known));
    fresh = fresh.filter((found) => !taken.has(found));
  };
  take("place", pairSameLines);
  take("identity", (left) => pairMovedFiles(left, input.isJudged));
  take("identity", (left) => pairMovedFiles(left, () => true));
  take("rename", (left) => pairEqualFindings(left, ({ path }) => [left.renames.get(path) ?? path]));
  take("likeness", pairLikeFindings);
  return { matches, missing, fresh };
}

/** Under its old name another place with equal code would take it, and this one would be said once more. */
function pairSameLines({ known, found, gone, codeOf, isJudged }: FindingsToMatch): readonly Pair[] {
  const placeOf = (one: RawFinding): string | undefined => {
    const { path, side, snippet, lines } = one;
    if (!isJudged(one) || isBlankSnippet(snippet)) return undefined;
    return JSON.stringify([path, side, codeOf(one).number, lines.first, lines.last]);
  };
  const standing = known.filter(({ id, state }) => state.kind !== "resolved" && !gone.has(id));
  const knownByPlace = groupBy(standing, placeOf);
  return found.flatMap((other) => {
    const place = placeOf(other);
    const same = place === undefined ? [] : (knownByPlace.get(place) ?? []);
    if (same.some(({ rule }) => rule === other.rule)) return [];
    return same.slice(0, 1).map((one) => ({ known: one, found: other }));
  });
}

/**
 * Old paths count as much as new ones: otherwise a blocker would slip into a precedent when its file is renamed.
 * Another role's review may have moved known ones already.
 */
function pairMovedFiles(input: FindingsToMatch, kindOf: (finding: RawFinding) => boolean): readonly Pair[] {
  const { renames, codeOf } = input;
  const homes = new Set(input.found.map((one) => codeNumberKey(one, codeOf)));
  const pathsOf = (one: RawFinding): readonly string[] => {
    const old = renames.get(one.path);
    return old === undefined || homes.has(codeNumberKey(one, codeOf, old)) ? [one.path] : [one.path, old];
  };
  return [true, false].flatMap((kind) => {
    const known = input.known.filter((one) => kindOf(one) === kind);
    const found = input.found.filter((one) => kindOf(one) === kind);
    return pairEqualFindings({ ...input, known, found }, pathsOf);
  });
}

/** `knownPaths` says under which paths a found one may be known. */
function pairEqualFindings(
  { known, found, gone, codeOf }: FindingsToMatch,
  knownPaths: (found: RawFinding) => readonly string[],
): readonly Pair[] {
  const knownByCode = groupBy(known, (one) => codeNumberKey(one, codeOf));
  const taken = new Set<Finding>();
  return [...groupBy(found, (one) => codeNumberKey(one, codeOf)).values()].flatMap((equal) => {
    const keys = equal.slice(0, 1).flatMap((one) => knownPaths(one).map((path) => codeNumberKey(one, codeOf, path)));
    const left = keys.flatMap((key) => knownByCode.get(key) ?? []).filter((one) => !taken.has(one));
    const fromTheTop = left.toSorted((one, other) => compareKnown({ ...one, path: "" }, { ...other, path: "" }));
    const pairs = pairEqualCode(fromTheTop, equal, (one) => strength(one, gone));
    for (const pair of pairs) taken.add(pair.known);
    return pairs;
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
 * Smaller is stronger. Open ones first: else an author could remove the conceded code and let another slip into its
 * precedent. Gone code is weaker; a fixed finding is weakest, since it is raised again.
 */
function strength({ id, state }: Finding, gone: ReadonlySet<FindingId>): number {
  const presence = gone.has(id) ? 1 : 0;
  if (state.kind !== "resolved") return 2 * presence;
  return state.resolution.how === "fixed" ? 4 + presence : 1 + 2 * presence;
}
