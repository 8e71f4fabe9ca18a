import type { CaseStanding, RunComparison } from "#core/eval/compare-runs.ts";
import { compareRuns } from "#core/eval/compare-runs.ts";
import { type Counts, countRun } from "#core/eval/counts.ts";
import type { EvalCost, EvalRun } from "#core/eval/eval-run.ts";
import { mistakesIn } from "#core/eval/mistakes.ts";

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
