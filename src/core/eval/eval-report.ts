import type { CaseStanding, RunComparison } from "#core/eval/compare-runs.ts";
import { compareRuns } from "#core/eval/compare-runs.ts";
import { type Counts, countRun } from "#core/eval/counts.ts";
import type { EvalCost, EvalRun } from "#core/eval/eval-run.ts";
import { mistakesIn } from "#core/eval/mistakes.ts";

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
