import { countRun } from "#core/eval/counts.ts";
import { type EvalReport, failedPasses } from "#core/eval/eval-report.ts";
import { ratesOf } from "#core/eval/rates.ts";

export interface EvalBounds {
  readonly recallMin: number | null;
  readonly precisionMin: number | null;
}

export function shortfalls(report: EvalReport, { recallMin, precisionMin }: EvalBounds): readonly string[] {
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
