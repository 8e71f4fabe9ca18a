import { compareText } from "#core/compare-text.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import { never } from "#core/never.ts";
import { type CodeOf, readCodes } from "#core/review/finding-code.ts";
import { codeNumberKey, identifyFindings } from "#core/review/finding-identity.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { groupBy } from "#core/review/group-by.ts";
import { matchFindings } from "#core/review/match-findings.ts";
import { mayBlock, type ReviewRound, raiseFinding } from "#core/review/review-round.ts";
import { type SettledMatch, settleMatch } from "#core/review/settle-match.ts";
import { settleMissing } from "#core/review/settle-missing.ts";

export type DroppedFinding = { readonly finding: RawFinding } & (
  | { readonly why: "below_problem_score" }
  /** Somebody else said it about the same lines in the same round. */
  | { readonly why: "repeated" }
  | { readonly why: "known"; readonly known: FindingId }
  /** It was conceded or waived on this very code. */
  | { readonly why: "precedent"; readonly known: FindingId }
);

/** Each finding, known or found, is in exactly one of these lists; a known one whose code came back is raised anew. */
export interface Convergence {
  /** To be said in the code, best score first. */
  readonly post: readonly Finding[];
  /** As new, but over the limit of remarks: said in the summary. */
  readonly summarised: readonly Finding[];
  /** Said before and still true: never said again. */
  readonly stands: readonly Finding[];
  readonly fixed: readonly Finding[];
  /** Resolved before this round, and still so. */
  readonly settled: readonly Finding[];
  readonly dropped: readonly DroppedFinding[];
}

/**
 * Brings one round of reviews together with what is known, so that rounds come to an end: nothing is said twice, and
 * after the first round only changed code or a known blocker may block.
 */
export function converge(round: ReviewRound): Convergence {
  assertEachOnce(round.known);
  const codeOf = readCodes([...round.known, ...round.found]);
  const { kept, repeated } = withoutRepeats(round.found, codeOf);
  const { problemScore, blockingScore, commentsMax } = round.rules;
  const { matches, missing, fresh } = matchFindings({ ...round, found: kept, blockingScore, codeOf });
  const matched = matches.map((match) => settleMatch(match, round));
  const absent = settleMissing(missing, round);
  const slight = fresh.filter(({ score }) => score < problemScore);
  const problems = fresh.filter(({ score }) => score >= problemScore);
  const raised = [...findingsOf(matched, "raised"), ...raiseNew(problems, round, codeOf)].toSorted(compareImportance);
  return {
    post: raised.slice(0, commentsMax),
    summarised: raised.slice(commentsMax),
    stands: inOrder([...findingsOf(matched, "stands"), ...findingsOf(absent, "stands")]),
    fixed: inOrder(findingsOf(absent, "fixed")),
    settled: inOrder([
      ...findingsOf(matched, "precedent"),
      ...findingsOf(matched, "too_slight"),
      ...findingsOf(absent, "settled"),
    ]),
    dropped: [
      ...matched.flatMap(droppedMatch),
      ...slight.map((finding) => ({ finding, why: "below_problem_score" as const })),
      ...repeated.map((finding) => ({ finding, why: "repeated" as const })),
    ].toSorted((left, right) => compareFindings(left.finding, right.finding) || compareText(left.why, right.why)),
  };
}

/** All findings that are known after the round. */
export function knownAfter(result: Convergence): readonly Finding[] {
  return inOrder([...result.post, ...result.summarised, ...result.stands, ...result.fixed, ...result.settled]);
}

/** A finding that came twice would be matched once and taken for fixed the second time. */
function assertEachOnce(known: readonly Finding[]): void {
  if (new Set(known.map(({ id }) => id)).size < known.length) throw new Error("converge: a known finding came twice");
}

/** Two roles, or two passes of one, may report one place; the most serious report is kept. */
function withoutRepeats(
  found: readonly RawFinding[],
  codeOf: CodeOf,
): {
  readonly kept: readonly RawFinding[];
  readonly repeated: readonly RawFinding[];
} {
  const places = groupBy(found.toSorted(compareFindings), (finding) =>
    JSON.stringify([codeNumberKey(finding, codeOf), finding.lines.first, finding.lines.last]),
  );
  const reports = [...places.values()];
  return { kept: reports.flatMap((same) => same.slice(0, 1)), repeated: reports.flatMap((same) => same.slice(1)) };
}

function raiseNew(fresh: readonly RawFinding[], round: ReviewRound, codeOf: CodeOf): readonly Finding[] {
  const identities = identifyFindings(fresh, new Set(round.known.map(({ id }) => id)), codeOf);
  return identities.flatMap((id, index) => {
    const found = fresh[index];
    return found === undefined ? [] : [raiseFinding(found, { id, isBlocking: mayBlock(found, round) }, round)];
  });
}

function findingsOf<Kind extends string>(
  settled: readonly { readonly kind: Kind; readonly finding: Finding }[],
  kind: Kind,
): readonly Finding[] {
  return settled.filter((one) => one.kind === kind).map(({ finding }) => finding);
}

function droppedMatch(settled: SettledMatch): readonly DroppedFinding[] {
  switch (settled.kind) {
    case "stands":
      return [{ finding: settled.found, why: "known", known: settled.finding.id }];
    case "precedent":
      return [{ finding: settled.found, why: "precedent", known: settled.finding.id }];
    case "too_slight":
      return [{ finding: settled.found, why: "below_problem_score" }];
    case "raised":
      return [];
    default:
      return never(settled);
  }
}

function compareImportance(left: Finding, right: Finding): number {
  return right.score - left.score || Number(right.isBlocking) - Number(left.isBlocking) || compareKnown(left, right);
}

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(compareKnown);
}

function compareKnown(left: Finding, right: Finding): number {
  return compareFindings(left, right) || compareText(left.id, right.id);
}
