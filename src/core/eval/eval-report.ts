import { type CaseStanding, compareRuns, type RunComparison } from "#core/eval/compare-runs.ts";
import { type Counts, countRun } from "#core/eval/counts.ts";
import type { EvalCost, EvalRun } from "#core/eval/eval-run.ts";
import { mistakesIn } from "#core/eval/mistakes.ts";
import { ratesOf } from "#core/eval/rates.ts";

/** What an evaluation has to say, in whatever format it is said. */
export interface EvalReport {
  /** The folder of the set, as it was named. */
  readonly set: string;
  /** Cases that cannot be used and were left out, in words. */
  readonly skipped: readonly string[];
  readonly run: EvalRun;
  /** What it is compared with; null where nobody asked. */
  readonly against: RunSummary | null;
}

/** As much of a run as a comparison needs: of another configuration, or of an earlier report. */
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

/** Looks that brought no judgement, so that the figures are of fewer cases than it seems. */
export function failedPasses({ cases }: EvalRun): readonly { readonly name: string; readonly words: string }[] {
  return cases.flatMap(({ case: { name }, looks }) =>
    looks.flatMap(({ role, outcome }) =>
      outcome.kind === "failed" ? [{ name, words: `the role ${role} failed: ${outcome.why}` }] : [],
    ),
  );
}

/** What an evaluation must reach; null: anything. From 0 to 1. */
export interface EvalBounds {
  readonly recallMin: number | null;
  readonly precisionMin: number | null;
}

/** Why the evaluation is no pass; empty where it is one. */
export function shortfalls(report: EvalReport, { recallMin, precisionMin }: EvalBounds): readonly string[] {
  const { run } = report;
  const { recall, precision } = ratesOf(countRun(run));
  const failed = failedPasses(run).length;
  const words: string[] = [];
  if (run.ending.kind === "stopped") words.push("not everything was run");
  if (failed > 0) words.push(`${failed === 1 ? "one look" : `${failed} looks`} failed`);
  if (report.against !== null && !report.against.isWhole) words.push("what it is compared with was not run whole");
  // Whoever asks for a share wants something to be found: a set that expects nothing cannot show that it is.
  if (recallMin !== null && (recall ?? 0) < recallMin) words.push(`recall is below ${recallMin}`);
  // Nothing said is nothing wrong.
  if (precisionMin !== null && precision !== null && precision < precisionMin) {
    words.push(`precision is below ${precisionMin}`);
  }
  return words;
}
