import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { Pair } from "#core/review/align-findings.ts";
import { mayBlock, type ReviewRound, raiseFinding } from "#core/review/review-round.ts";

/** What became of a known finding that was found again. */
export type SettledMatch =
  | { readonly kind: "stands"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "raised"; readonly finding: Finding }
  | { readonly kind: "precedent"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "too_slight"; readonly finding: Finding; readonly found: RawFinding };

export function settleMatch({ known, found }: Pair, round: ReviewRound): SettledMatch {
  if (known.state.kind !== "resolved") return { kind: "stands", finding: standOn(known, found, round), found };
  const moved = { ...known, path: found.path, lines: found.lines };
  if (known.state.resolution.how !== "fixed") return { kind: "precedent", finding: moved, found };
  if (found.score < round.rules.problemScore) return { kind: "too_slight", finding: moved, found };
  return {
    kind: "raised",
    finding: raiseFinding(found, { id: known.id, isBlocking: blocksAgain(known, found, round) }, round),
  };
}

/**
 * Where it is now, with what was said about it then. Reading it again makes it neither better nor worse, except that
 * it begins to block where a new finding would: else a change could hide behind a remark that did not matter.
 */
function standOn(known: Finding, found: RawFinding, round: ReviewRound): Finding {
  const { rule, path, side, lines, snippet, suggestion } = found;
  const place = { rule, path, side, lines, snippet, suggestion };
  const begins = !known.isBlocking && mayBlock(found, round);
  return {
    ...known,
    ...place,
    isBlocking: known.isBlocking || begins,
    score: begins ? found.score : known.score,
  };
}

/** A blocker whose code came back is the blocker that it was. */
function blocksAgain(known: Finding, found: RawFinding, round: ReviewRound): boolean {
  return mayBlock(found, round) || (known.isBlocking && found.score >= round.rules.blockingScore);
}
