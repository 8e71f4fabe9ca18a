import { compareText } from "#core/compare-text.ts";
import { groupBy } from "#core/group-by.ts";
import { type Finding, type RawFinding, type Resolution } from "#core/model/finding.ts";
import { type FindingId } from "#core/model/ids.ts";
import { never } from "#core/never.ts";
import { type Pair } from "#core/review/align-findings.ts";
import { concedableScoreMax } from "#core/review/dispute-outcome.ts";
import { type CodeOf, isBlankSnippet, readCodes } from "#core/review/finding-code.ts";
import { codeNumberKey, identifyFindings } from "#core/review/finding-identity.ts";
import { compareFindings, compareKnown } from "#core/review/finding-order.ts";
import { matchFindings } from "#core/review/match-findings.ts";
import { isJudged, isLate, isReadBefore, mayBlock, type ReviewRound, raiseFinding } from "#core/review/review-round.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";
import { settleMissing } from "#core/review/settle-missing.ts";

export type DroppedFinding = { readonly finding: RawFinding } & (
  | { readonly why: "below_problem_score" }
  | { readonly why: "repeated" }
  | { readonly why: "known"; readonly known: FindingId }
  | { readonly why: "precedent"; readonly known: FindingId }
  | { readonly why: "late" }
);

/** Each finding is in exactly one list; a known one whose code came back is raised anew. */
export interface Convergence {
  readonly post: readonly Finding[];
  readonly summarised: readonly Finding[];
  readonly stands: readonly Finding[];
  readonly fixed: readonly Finding[];
  readonly settled: readonly Finding[];
  readonly dropped: readonly DroppedFinding[];
}

/** Rounds end: nothing is reported twice, and after the first only changed code or a known blocker may block. */
export function converge(round: ReviewRound): Convergence {
  assertEachOnce(round.known);
  const codeOf = readCodes([...round.known, ...round.found]);
  const { kept, repeated } = withoutRepeats(round, codeOf);
  const { commentsMax } = round.rules;
  const blockingOf = (role: string): number => thresholdsOf(round.rules, role).blockingScore;
  const { matches, missing, fresh } = matchFindings({
    ...round,
    found: kept,
    blockingOf,
    codeOf,
    isJudged: (finding) => isJudged(finding, round),
    isReadBefore: (finding) => isReadBefore(finding, round),
  });
  const matched = matches.map((match) => settleMatch(match, round));
  const absent = settleMissing(missing, round);
  const slight = fresh.filter((finding) => weightOf(finding, round) === 0);
  const serious = fresh.filter((finding) => weightOf(finding, round) > 0);
  const late = serious.filter((finding) => isLate(finding, round));
  const problems = serious.filter((finding) => !isLate(finding, round));
  const raised = [...findingsOf(matched, "raised"), ...raiseNew(problems, round, codeOf)].toSorted(compareImportance);
  return {
    post: raised.slice(0, commentsMax),
    summarised: raised.slice(commentsMax),
    stands: inOrder([...findingsOf(matched, "stands"), ...findingsOf(absent, "stands")]),
    fixed: inOrder(findingsOf(absent, "fixed")),
    settled: inOrder([
      ...findingsOf(matched, "precedent"),
      ...findingsOf(matched, "too_slight"),
      ...findingsOf(matched, "late"),
      ...findingsOf(absent, "settled"),
    ]),
    dropped: [
      ...matched.flatMap(droppedMatch),
      ...slight.map((finding) => ({ finding, why: "below_problem_score" as const })),
      ...late.map((finding) => ({ finding, why: "late" as const })),
      ...repeated.map((finding) => ({ finding, why: "repeated" as const })),
    ].toSorted((left, right) => compareFindings(left.finding, right.finding) || compareText(left.why, right.why)),
  };
}

export function knownAfter(result: Convergence): readonly Finding[] {
  return inOrder([...result.post, ...result.summarised, ...result.stands, ...result.fixed, ...result.settled]);
}

/** A finding that came twice would be matched once and taken for fixed the second time. */
function assertEachOnce(known: readonly Finding[]): void {
  if (new Set(known.map(({ id }) => id)).size < known.length) throw new Error("converge: a known finding came twice");
}

function weightOf({ role, score }: RawFinding, { rules }: ReviewRound): number {
  const { problemScore, blockingScore } = thresholdsOf(rules, role);
  if (score >= blockingScore) return 2;
  return score >= problemScore ? 1 : 0;
}

/** Of two roles or passes about one place, the report that is the most serious to its role is kept. */
function withoutRepeats(
  round: ReviewRound,
  codeOf: CodeOf,
): {
  readonly kept: readonly RawFinding[];
  readonly repeated: readonly RawFinding[];
} {
  const places = groupBy(round.found.toSorted(compareFindings), (finding) => placeKey(finding, round, codeOf));
  const reports = [...places.values()].map((same) =>
    same.toSorted((left, right) => weightOf(right, round) - weightOf(left, round) || right.score - left.score),
  );
  return { kept: reports.flatMap((same) => same.slice(0, 1)), repeated: reports.flatMap((same) => same.slice(1)) };
}

/** A judging reviewer names one problem in several ways. A second problem is reported when the lines have changed. */
function placeKey(finding: RawFinding, round: ReviewRound, codeOf: CodeOf): string {
  const { path, side, lines, snippet } = finding;
  const isOnePlace = isJudged(finding, round) && !isBlankSnippet(snippet);
  const about = isOnePlace ? [path, side, codeOf(finding).number] : codeNumberKey(finding, codeOf);
  return JSON.stringify([about, lines.first, lines.last]);
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
    case "late":
      return [{ finding: settled.found, why: "late" }];
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

type SettledMatch =
  | { readonly kind: "stands"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "raised"; readonly finding: Finding }
  | { readonly kind: "precedent"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "too_slight"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "late"; readonly finding: Finding; readonly found: RawFinding };

function settleMatch({ known, found }: Pair, round: ReviewRound): SettledMatch {
  if (known.state.kind !== "resolved") return { kind: "stands", finding: standOn(known, found, round), found };
  const { resolution } = known.state;
  const moved = { ...known, path: found.path, lines: found.lines };
  if (covers(resolution, found)) return { kind: "precedent", finding: moved, found };
  const { problemScore } = thresholdsOf(round.rules, found.role);
  if (found.score < problemScore) return { kind: "too_slight", finding: moved, found };
  if (resolution.how === "conceded" && isLate(found, round)) return { kind: "late", finding: moved, found };
  const isBlocking = mayBlock(found, round) || (resolution.how === "fixed" && blocksAgain(known, found, round));
  return { kind: "raised", finding: raiseFinding(found, { id: known.id, isBlocking }, round) };
}

/** An argument that was won over a slighter finding does not answer a serious one; a person's waiver does. */
function covers(resolution: Resolution, found: RawFinding): boolean {
  switch (resolution.how) {
    case "waived":
      return true;
    case "conceded":
      return found.score <= concedableScoreMax;
    case "fixed":
      return false;
    default:
      return never(resolution);
  }
}

/**
 * It belongs to the last reporting role, so that another's silence cannot fix it; findings of rules stay theirs. A
 * repetition never lowers its score, and blocks only where a new finding would: else a change could hide behind a minor
 * remark. A rule's suggestion does not fit the words of a model.
 */
function standOn(known: Finding, found: RawFinding, round: ReviewRound): Finding {
  const { path, side, lines } = found;
  const { score, message, assessment } = found.score > known.score ? found : known;
  const owner = isJudged(found, round) && !isJudged(known, round) ? known : found;
  const { role, snippet } = owner;
  const areJudged = isJudged(known, round) && isJudged(found, round);
  const suggestion = areJudged || message === owner.message ? owner.suggestion : null;
  const isBlocking = known.isBlocking || mayBlock(found, round);
  const rule = ruleOf(known, found, round);
  return { ...known, role, rule, path, side, lines, snippet, suggestion, score, message, assessment, isBlocking };
}

/** Rules find it again by their own name for it; else the name goes with the words. */
function ruleOf(known: Finding, found: RawFinding, round: ReviewRound): string {
  if (!isJudged(found, round)) return found.rule;
  if (!isJudged(known, round)) return known.rule;
  return found.score > known.score ? found.rule : known.rule;
}

/** A blocker whose code came back is the blocker that it was. */
function blocksAgain(known: Finding, found: RawFinding, { rules }: ReviewRound): boolean {
  return known.isBlocking && found.score >= thresholdsOf(rules, found.role).blockingScore;
}
