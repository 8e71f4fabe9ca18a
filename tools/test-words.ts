import { never } from "#core/never.ts";
import {
  countOutcome,
  countResults,
  hasFailed,
  lastLine,
  type Skip,
  type SkipRules,
  type StepOutcome,
  type StepResult,
  skipsOf,
} from "./test-result.ts";

const nameWidth = 8;
const stateWidth = 8;

/** The line for a step that has ended: name, state, seconds, and what there is to say. */
export function stepLine(result: StepResult, rules: SkipRules): string {
  const name = result.name.padEnd(nameWidth);
  const line = `${name}${stateOf(result.outcome, rules).padEnd(stateWidth)}${result.seconds.toFixed(1).padStart(6)} s`;
  const note = noteOf(result.outcome, rules);
  return note === "" ? line : `${line}  ${note}`;
}

/** What a whole run is measured by: what it left out is said, so that nobody takes it for everything. */
interface RunRules extends SkipRules {
  /** Files that did not run because they are not quick, by project. */
  readonly left: ReadonlyMap<string, number>;
}

/** Everything after the last step, up to the last line itself. */
export function summary(results: readonly StepResult[], rules: RunRules): string {
  const skips = skipsOf(results);
  const failures = results.flatMap((result) => failureLines(result));
  const sections = [
    results.map((result) => stepLine(result, rules)),
    skips.length === 0 ? [] : skipLines(skips, rules),
    leftLines(rules.left),
    failures.length === 0 ? [] : ["Failed:", ...failures],
    [lastLine(countResults(results, rules))],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function stateOf(outcome: StepOutcome, rules: SkipRules): string {
  if (outcome.kind === "not_applicable") {
    return "-";
  }
  return hasFailed(outcome, rules) ? "FAILED" : "ok";
}

function noteOf(outcome: StepOutcome, rules: SkipRules): string {
  switch (outcome.kind) {
    case "passed":
    case "failed":
      return "";
    case "not_applicable":
      return outcome.why;
    case "tested":
      return lastLine(countOutcome(outcome, rules));
    default:
      return never(outcome);
  }
}

function skipLines(skips: readonly Skip[], rules: SkipRules): string[] {
  const title = rules.areSkipsForbidden ? "Skipped, which is forbidden here:" : "Skipped:";
  return [title, ...skips.map((skip) => `  ${skip.file}: ${skip.name} (${skip.reason})`)];
}

function leftLines(left: ReadonlyMap<string, number>): string[] {
  if (left.size === 0) return [];
  const parts = [...left].map(([project, files]) => `${project} (${files} ${files === 1 ? "file" : "files"})`);
  return [`Left to npm test -- --all: ${parts.join(", ")}`];
}

function failureLines(result: StepResult): string[] {
  if (result.outcome.kind === "tested") {
    return result.outcome.report.failures.map((failure) => `  ${failure.file}: ${failure.name}${firstLine(failure)}`);
  }
  return result.outcome.kind === "failed" ? [`  ${result.name} (its output is above)`] : [];
}

function firstLine(failure: { readonly message: string }): string {
  const line = failure.message.split("\n")[0] ?? "";
  return line === "" ? "" : `: ${line}`;
}
