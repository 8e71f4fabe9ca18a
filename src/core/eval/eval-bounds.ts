import { countRun } from "#core/eval/counts.ts";
import { type EvalReport, failedPasses } from "#core/eval/eval-report.ts";
import { ratesOf } from "#core/eval/rates.ts";

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
