import type { EvalRun } from "#core/eval/eval-run.ts";
import { judgedTogether } from "#core/eval/merge-passes.ts";

export interface Repeatability {
  readonly cases: number;
  /** Things to be found: in every attempt, in none, in some. */
  readonly always: number;
  readonly never: number;
  readonly sometimes: number;
  /** Of the best and of the worst attempt, over all those cases. */
  readonly wrongMin: number;
  readonly wrongMax: number;
  readonly unsteady: readonly string[];
}

/** Null where nothing was tried more than once. */
export function repeatabilityOf(run: EvalRun): Repeatability | null {
  if (run.attempts < 2) return null;
  const whole = run.cases
    .map((result) => ({ name: result.case.name, judged: judgedTogether(result, run), result }))
    .filter(({ judged }) => judged.length === run.attempts);
  const hits = whole.flatMap(({ judged, result }) =>
    result.case.expected.map((_, index) => judged.filter((each) => (each.hits[index] ?? null) !== null).length),
  );
  const wrong = Array.from({ length: run.attempts }, (_, attempt) =>
    whole.reduce((total, { judged }) => total + (judged[attempt]?.wrong.length ?? 0), 0),
  );
  return {
    cases: whole.length,
    always: hits.filter((count) => count === run.attempts).length,
    never: hits.filter((count) => count === 0).length,
    sometimes: hits.filter((count) => count > 0 && count < run.attempts).length,
    wrongMin: Math.min(...wrong),
    wrongMax: Math.max(...wrong),
    unsteady: whole.filter(({ judged }) => new Set(judged.map(shapeOf)).size > 1).map(({ name }) => name),
  };
}

type Judged = ReturnType<typeof judgedTogether>[number];

function shapeOf({ hits, wrong }: Judged): string {
  return JSON.stringify([hits.map((hit) => hit !== null), wrong.length]);
}
