import { never } from "#core/never.ts";

/** What one step of `npm test` came to, and how all of them add up to the last line. */

export type StepOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly output: string }
  /** The step has nothing to look at here, for instance no git checkout. It is named, but counts for nothing. */
  | { readonly kind: "not_applicable"; readonly why: string }
  | { readonly kind: "tested"; readonly report: TestReport };

export interface StepResult {
  readonly name: string;
  readonly seconds: number;
  readonly outcome: StepOutcome;
}

export interface TestReport {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skips: readonly Skip[];
}

export interface Failure {
  readonly file: string;
  readonly name: string;
  readonly message: string;
}

export interface Skip {
  readonly file: string;
  readonly name: string;
  readonly reason: string;
}

export interface SkipRules {
  readonly areSkipsForbidden: boolean;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts every test, and one for each other step. Where skips are forbidden, a skipped test has failed. */
export function countResults(results: readonly StepResult[], rules: SkipRules): Totals {
  const all = results.map((result) => countOutcome(result.outcome, rules));
  const sum = (key: keyof Totals) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/** What one step adds to the count. */
export function countOutcome(outcome: StepOutcome, rules: SkipRules): Totals {
  switch (outcome.kind) {
    case "passed":
      return { passed: 1, failed: 0, skipped: 0 };
    case "failed":
      return { passed: 0, failed: 1, skipped: 0 };
    case "not_applicable":
      return { passed: 0, failed: 0, skipped: 0 };
    case "tested":
      return countReport(outcome.report, rules);
    default:
      return never(outcome);
  }
}

/** The last line of `npm test`. Scripts read it: `N passed, N failed`, and skips only if there were some. */
export function lastLine(totals: Totals): string {
  const line = `${totals.passed} passed, ${totals.failed} failed`;
  return totals.skipped === 0 ? line : `${line}, ${totals.skipped} skipped`;
}

export function hasFailed(outcome: StepOutcome, rules: SkipRules): boolean {
  return countOutcome(outcome, rules).failed > 0;
}

export function skipsOf(results: readonly StepResult[]): readonly Skip[] {
  return results.flatMap((result) => (result.outcome.kind === "tested" ? result.outcome.report.skips : []));
}

function countReport(report: TestReport, rules: SkipRules): Totals {
  const { passed } = report;
  const failed = report.failures.length;
  const skipped = report.skips.length;
  return rules.areSkipsForbidden ? { passed, failed: failed + skipped, skipped: 0 } : { passed, failed, skipped };
}
