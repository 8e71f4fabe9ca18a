import { type CaseStanding, compareRuns, type RunComparison } from "#core/eval/compare-runs.ts";
import { type Counts, countRun } from "#core/eval/counts.ts";
import type { EvalCost, EvalRun } from "#core/eval/eval-run.ts";
import { mistakesIn } from "#core/eval/mistakes.ts";
import { ratesOf } from "#core/eval/rates.ts";

export interface EvalReport {
  readonly set: string;
  readonly skipped: readonly string[];
  readonly run: EvalRun;
  readonly against: RunSummary | null;
}

export interface RunSummary {
  readonly configuration: string;
  readonly cases: readonly CaseStanding[];
  readonly counts: Counts;
  readonly spent: Omit<EvalCost, "isKept">;
  readonly isWhole: boolean;
}

export function summariseRun(run: EvalRun): RunSummary {
  return {
    configuration: run.configuration,
    cases: standingsOf(run),
    counts: countRun(run),
    spent: sumSpent(run.cases.flatMap(({ looks }) => looks.map(({ spent }) => spent))),
    isWhole: run.ending.kind === "whole",
  };
}

function standingsOf(run: EvalRun): readonly CaseStanding[] {
  return run.cases.map((result) => ({
    name: result.case.name,
    digest: result.digest,
    mistakes: mistakesIn(run, result),
  }));
}

export function comparisonOf({ run, against }: EvalReport): RunComparison | null {
  return against === null ? null : compareRuns(standingsOf(run), against.cases);
}

export function sumSpent(all: readonly Omit<EvalCost, "isKept">[]): Omit<EvalCost, "isKept"> {
  return all.reduce(
    (left, right) => ({
      costMicroUsd: left.costMicroUsd + right.costMicroUsd,
      unpricedCalls: left.unpricedCalls + right.unpricedCalls,
      tokensIn: left.tokensIn + right.tokensIn,
      tokensCached: left.tokensCached + right.tokensCached,
      tokensOut: left.tokensOut + right.tokensOut,
      ms: left.ms + right.ms,
    }),
    { costMicroUsd: 0, unpricedCalls: 0, tokensIn: 0, tokensCached: 0, tokensOut: 0, ms: 0 },
  );
}

export function failedPasses({ cases }: EvalRun): readonly { readonly name: string; readonly words: string }[] {
  return cases.flatMap(({ case: { name }, looks }) =>
    looks.flatMap(({ role, outcome }) =>
      outcome.kind === "failed" ? [{ name, words: `the role ${role} failed: ${outcome.why}` }] : [],
    ),
  );
}

export function shortfalls(
  report: EvalReport,
  { recallMin, precisionMin }: { readonly recallMin: number | null; readonly precisionMin: number | null },
): readonly string[] {
  const { run } = report;
  const { recall, precision } = ratesOf(countRun(run));
  const failed = failedPasses(run).length;
  const words: string[] = [];
  if (run.ending.kind === "stopped") words.push("not everything was run");
  if (failed > 0) words.push(`${failed === 1 ? "one look" : `${failed} looks`} failed`);
  if (report.against !== null && !report.against.isWhole) words.push("what it is compared with was not run whole");
  // Who asks for a recall expects findings: a set that expects none cannot show any.
  if (recallMin !== null && (recall ?? 0) < recallMin) words.push(`recall is below ${recallMin}`);
  // Nothing said is nothing wrong.
  if (precisionMin !== null && precision !== null && precision < precisionMin) {
    words.push(`precision is below ${precisionMin}`);
  }
  return words;
}
