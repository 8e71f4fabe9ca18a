import type { Finding, RawFinding, Resolution } from "#core/model/finding.ts";
import { never } from "#core/never.ts";
import type { Pair } from "#core/review/align-findings.ts";
import { concedableScoreMax } from "#core/review/dispute-outcome.ts";
import { mayBlock, type ReviewRound, raiseFinding } from "#core/review/review-round.ts";

/** What became of a known finding that was found again. */
export type SettledMatch =
  | { readonly kind: "stands"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "raised"; readonly finding: Finding }
  | { readonly kind: "precedent"; readonly finding: Finding; readonly found: RawFinding }
  | { readonly kind: "too_slight"; readonly finding: Finding; readonly found: RawFinding };

export function settleMatch({ known, found }: Pair, round: ReviewRound): SettledMatch {
  if (known.state.kind !== "resolved") return { kind: "stands", finding: standOn(known, found, round), found };
  const { resolution } = known.state;
  const moved = { ...known, path: found.path, lines: found.lines };
  if (covers(resolution, found)) return { kind: "precedent", finding: moved, found };
  if (found.score < round.rules.problemScore) return { kind: "too_slight", finding: moved, found };
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
 * Where it is now, in the words of whoever thought worse of it. It belongs to the role that said it last, so that the
 * silence of another one at this head cannot fix it. Reading it again never makes it slighter, and it begins to block
 * only where a new finding would: else a change could hide behind a remark that did not matter.
 */
function standOn(known: Finding, found: RawFinding, round: ReviewRound): Finding {
  const { role, rule, path, side, lines, snippet, suggestion } = found;
  const { score, message, assessment } = found.score > known.score ? found : known;
  const isBlocking = known.isBlocking || mayBlock(found, round);
  return { ...known, role, rule, path, side, lines, snippet, suggestion, score, message, assessment, isBlocking };
}

/** A blocker whose code came back is the blocker that it was. */
function blocksAgain(known: Finding, found: RawFinding, { rules }: ReviewRound): boolean {
  return known.isBlocking && found.score >= rules.blockingScore;
}
