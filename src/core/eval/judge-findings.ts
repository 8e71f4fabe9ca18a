import type { Diff } from "#core/diff/diff.ts";
import { indexRows } from "#core/eval/diff-rows.ts";
import type { EvalCase } from "#core/eval/eval-case.ts";
import { type FoundTraits, fits, nearness, readTraits } from "#core/eval/finding-fit.ts";
import { pairUp } from "#core/eval/pair-up.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { compareFindings } from "#core/review/finding-order.ts";

export interface Judged {
  readonly hits: readonly (RawFinding | null)[];
  readonly accepted: readonly RawFinding[];
  readonly wrong: readonly WrongFinding[];
}

export interface WrongFinding {
  readonly finding: RawFinding;
  /** `repeat`: another finding has said it already. */
  readonly why: "unexpected" | "repeat";
}

export function judgeFindings(diff: Diff, { expected, accepted }: EvalCase, findings: readonly RawFinding[]): Judged {
  const rows = indexRows(diff);
  const found = findings
    .toSorted(compareFindings)
    .map((finding) => readTraits(finding, rows))
    .map((traits) => ({ traits, isAccepted: accepted.some((sought) => fits(sought, traits)) }))
    // What nothing else would excuse gets the pair first: the other one is still accepted.
    .toSorted((left, right) => Number(left.isAccepted) - Number(right.isAccepted));
  const wanted = found.map(({ traits }) => wantedBy(traits, expected));
  const partners = pairUp(wanted);
  const rest = found.flatMap((one, index) =>
    partners[index] === null ? [{ ...one, isRepeat: (wanted[index] ?? []).length > 0 }] : [],
  );
  return {
    hits: expected.map((_, index) => found[partners.indexOf(index)]?.traits.finding ?? null),
    accepted: rest.flatMap(({ traits, isAccepted }) => (isAccepted ? [traits.finding] : [])),
    wrong: rest.flatMap(({ traits, isAccepted, isRepeat }): readonly WrongFinding[] =>
      isAccepted ? [] : [{ finding: traits.finding, why: isRepeat ? "repeat" : "unexpected" }],
    ),
  };
}

function wantedBy(found: FoundTraits, expected: EvalCase["expected"]): readonly number[] {
  return expected
    .flatMap((sought, index) => (fits(sought, found) ? [{ index, nearness: nearness(sought, found) }] : []))
    .toSorted((left, right) => right.nearness - left.nearness || left.index - right.index)
    .map(({ index }) => index);
}
