import type { NotComparedWhy, RunComparison } from "#core/eval/compare-runs.ts";
import type { Counts } from "#core/eval/counts.ts";
import type { Expected } from "#core/eval/eval-case.ts";
import type { EvalCost, EvalRun, Shortage, StoppedWhy } from "#core/eval/eval-run.ts";
import type { WrongFinding } from "#core/eval/judge-findings.ts";
import { ratesOf } from "#core/eval/rates.ts";
import type { Repeatability } from "#core/eval/repeatability.ts";
import { chanceMax, differingMin } from "#core/eval/sign-test.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";
import { counted, listed } from "#core/words/counted.ts";

const namesMax = 10;

/** A share of nothing is no number, and only all of it is 100 %. */
export function percent(share: number | null): string {
  if (share === null) return "–";
  const rounded = Math.round(share * 100);
  if (share > 0 && share < 1) return `${Math.min(99, Math.max(1, rounded))} %`;
  return `${rounded} %`;
}

export function missedFindingWords({ path, place, what }: Expected): string {
  return `${path}${placeWords(place.kind === "file" ? null : place)}: ${what}`;
}

export function wrongWords({ finding, why }: WrongFinding): string {
  const { path, side, lines, snippet, role, rule, score, message } = finding;
  const place = placeWords(isBlankSnippet(snippet) ? null : { side, lines });
  const again = why === "repeat" ? ", says again what was said" : "";
  return `${path}${place}, ${role}/${rule}, score ${score}${again}: ${message}`;
}

function placeWords(
  place: { readonly side: string; readonly lines: { readonly first: number; readonly last: number } } | null,
): string {
  if (place === null) return "";
  const { first, last } = place.lines;
  const before = place.side === "old" ? " before the change" : "";
  return ` ${first === last ? `line ${first}` : `lines ${first}-${last}`}${before}`;
}

export function recallWords(counts: Counts): string {
  if (counts.expected === 0) return "Nothing was to be found, so there is no recall.";
  const recall = percent(ratesOf(counts).recall);
  return `Found ${counts.found} of ${counts.expected} (recall ${recall}).`;
}

export function precisionWords(counts: Counts): string {
  const { found, wrong, repeats, wrongBlocking, looks } = counts;
  if (found + wrong === 0) return "Nothing was said that could be right or wrong, so there is no precision.";
  const { precision, f1 } = ratesOf(counts);
  const figures = `precision ${percent(precision)}, F1 ${(f1 ?? 0).toFixed(2)}`;
  if (wrong === 0) return `No wrong findings: ${figures}.`;
  const parts = [
    `${(wrong / Math.max(1, looks)).toFixed(2)} a case`,
    ...(repeats === 0 ? [] : [`${repeats} said again`]),
    ...(wrongBlocking === 0 ? [] : [`${wrongBlocking} blocking`]),
  ].join(", ");
  return `${counted(wrong, "wrong finding", "wrong findings")} (${parts}): ${figures}.`;
}

export function calibrationWords({ blockers, blockersFound, blockersBlocked, underrated }: Counts): readonly string[] {
  const rated = underrated === 0 ? [] : [`${underrated} found with a lower score than the case asks for.`];
  if (blockers === 0) return rated;
  return [
    `Of ${counted(blockers, "finding", "findings")} that must block, ${blockersFound} found and ${blockersBlocked} found as blocking.`,
    ...rated,
  ];
}

export function steadinessWords(steadiness: Repeatability, attempts: number): readonly string[] {
  const { cases, always, never, sometimes, wrongMin, wrongMax, unsteady } = steadiness;
  if (cases === 0) return [`No case was judged in all ${attempts} attempts, so nothing is known of repeatability.`];
  const wrong = wrongMin === wrongMax ? `${wrongMin}` : `${wrongMin} to ${wrongMax}`;
  return [
    `Over ${attempts} attempts: ${always} found each time, ${never} never, ${sometimes} only sometimes; ${wrong} wrong findings an attempt.`,
    ...(unsteady.length === 0 ? [] : [`Not the same each time: ${listed(unsteady, namesMax)}.`]),
  ];
}

/** Empty for reviewers that ask no model. */
export function spentWords({
  costMicroUsd,
  tokensIn,
  tokensCached,
  tokensOut,
  unpricedCalls,
}: Omit<EvalCost, "isKept">): string {
  if (tokensIn + tokensOut + costMicroUsd === 0) return "";
  const unpriced = unpricedCalls === 0 ? "" : ` and ${counted(unpricedCalls, "call", "calls")} of unknown price`;
  return `${preciseDollars(costMicroUsd)}${unpriced}, ${tokensIn} tokens in (${tokensCached} from the cache), ${tokensOut} out`;
}

/** Configurations differ by fractions of a cent. Something is never shown as nothing. */
export function preciseDollars(microUsd: number): string {
  return `$${(microUsd === 0 ? 0 : Math.max(100, microUsd) / 1_000_000).toFixed(4)}`;
}

export function durationWords(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const stoppedWords = {
  asked: "Stopped",
  budget: "Stopped before the budget was used up",
  failing: "Stopped, since one look after the other failed",
} as const satisfies Record<StoppedWhy, string>;

export function endingWords({ ending }: EvalRun): string | null {
  if (ending.kind === "whole") return null;
  const left = counted(ending.looksLeft, "look was", "looks were");
  const lost =
    ending.lostMicroUsd === 0 ? "" : ` ${preciseDollars(ending.lostMicroUsd)} went into looks that were not finished.`;
  const short = ending.why === "budget" ? ` ${shortageWords(ending.shortage, ending.looksLeft)}` : "";
  return `${stoppedWords[ending.why]}: ${left} not made.${short} The figures are of what was done.${lost}`;
}

function shortageWords({ lookMicroUsd, by, leftMicroUsd }: Shortage, looksLeft: number): string {
  const all = looksLeft > 1 ? `, all ${looksLeft} need about ${preciseDollars(lookMicroUsd * looksLeft)}` : "";
  const known = by === "prices" ? "the prices of its model" : "the dearest look so far";
  return `The next look costs about ${preciseDollars(lookMicroUsd)} by ${known}${all}; ${preciseDollars(leftMicroUsd)} of the budget is left.`;
}

const notComparedWords = {
  missing: "only one of both has it",
  changed: "the case has changed",
  not_judged: "it was not judged",
} as const satisfies Record<NotComparedWhy, string>;

export function comparisonWords(comparison: RunComparison, other: string): readonly string[] {
  const { better, worse, same, notCompared } = comparison;
  const left = (["missing", "changed", "not_judged"] as const).flatMap((why) => {
    const names = notCompared.filter((one) => one.why === why).map(({ name }) => name);
    return names.length === 0 ? [] : [`Not compared, ${notComparedWords[why]}: ${listed(names, namesMax)}.`];
  });
  const count = `Against ${other}: better in ${better.length}, worse in ${worse.length}, the same in ${same.length} of ${counted(better.length + worse.length + same.length, "case", "cases")}.`;
  const named = (
    [
      ["Better", better],
      ["Worse", worse],
    ] as const
  ).flatMap(([word, cases]) =>
    cases.length === 0
      ? []
      : [
          `${word}: ${listed(
            cases.map(({ name }) => name),
            namesMax,
          )}.`,
        ],
  );
  return [count, ...named, chanceWords(comparison), ...left];
}

export function chanceWords({ better, worse, chance }: RunComparison): string {
  const differing = better.length + worse.length;
  if (chance === null) return "No case tells them apart.";
  if (differing < differingMin) {
    return `Only ${counted(differing, "case differs", "cases differ")}: too few to tell skill from luck (at least ${differingMin} are needed, all on one side).`;
  }
  const often = `Two equally good configurations would differ at least this unevenly ${oftenWords(chance)}`;
  return chance <= chanceMax
    ? `${often}, so the difference is probably real.`
    : `${often}, so this set does not tell them apart.`;
}

function oftenWords(chance: number): string {
  if (chance > 0.95) return "nearly always";
  if (chance >= 0.1) return `in about ${Math.round(chance * 10)} of 10 comparisons`;
  if (chance >= 0.001) return `in about 1 of ${Math.round(1 / chance)} comparisons`;
  return "in fewer than 1 of 1000 comparisons";
}
