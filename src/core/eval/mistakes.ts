import { countCase } from "#core/eval/counts.ts";
import type { EvalRun } from "#core/eval/eval-run.ts";

export function mistakesIn(run: EvalRun, result: EvalRun["cases"][number]): number | null {
  const { looks, expected, found, wrong } = countCase(run, result);
  return looks === 0 ? null : (expected - found + wrong) / looks;
}
