import type { Finding, RawFinding, Resolution } from "#core/model/finding.ts";
import { never } from "#core/never.ts";
import type { Pair } from "#core/review/align-findings.ts";
import { concedableScoreMax } from "#core/review/dispute-outcome.ts";
import { isJudged, isLate, mayBlock, type ReviewRound, raiseFinding } from "#core/review/review-round.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";

/** What became of a known finding that was found again. */
export type SettledMatch =
  | { readonly kind: "stands"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "raised"; readonly finding: Finding }
  | { readonly kind: "precedent"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "too_slight"; readonly finding: Finding; readonly found: RawFinding }
  /** It was conceded, and is said to be worse now, on code that has not changed. */
  | { readonly kind: "late"; readonly finding: Finding; readonly found: RawFinding };

export function settleMatch({ known, found }: Pair, round: ReviewRound): SettledMatch {
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
 * Its current location, in the words of the role that scored it higher. It belongs to the role that reported it last,
 * so that the silence of another one at this head cannot fix it; only findings of rules stay theirs when a model
 * repeats them. A repetition never lowers its score, and it begins to block only where a new finding would: otherwise a
 * change could hide behind a minor remark. A rule's suggestion is not shown below the words of a model, because it
 * fixes something else.
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

/** The name that rules give it is the one by which they find it again; else it goes with the words. */
function ruleOf(known: Finding, found: RawFinding, round: ReviewRound): string {
  if (!isJudged(found, round)) return found.rule;
  if (!isJudged(known, round)) return known.rule;
  return found.score > known.score ? found.rule : known.rule;
}

/** A blocker whose code came back is the blocker that it was. */
function blocksAgain(known: Finding, found: RawFinding, { rules }: ReviewRound): boolean {
  return known.isBlocking && found.score >= thresholdsOf(rules, found.role).blockingScore;
}
