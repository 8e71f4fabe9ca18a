import { relative } from "node:path";
import * as z from "zod";
import type { Failure, Skip, TestReport } from "./test-result.ts";

/** The environment variable that tells our reporter where to write. */
export const REPORT_VARIABLE = "DROVER_VITEST_REPORT";

const Assertion = z.object({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()),
  meta: z.object({ skipReason: z.string().optional(), project: z.string().optional() }).optional(),
});
type Assertion = z.infer<typeof Assertion>;

const TestFile = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string(),
  assertionResults: z.array(Assertion),
});
type TestFile = z.infer<typeof TestFile>;

const Report = z.object({ testResults: z.array(TestFile) });

/**
 * Turns vitest's JSON into what `npm test` counts. The exit code has a say as well: an error outside of any test fails
 * the run of vitest but no test in its report.
 */
export function readVitestReport(options: {
  readonly text: string;
  readonly exitCode: number;
  readonly root: string;
}): TestReport {
  const parsed = Report.safeParse(parseJson(options.text));
  if (!parsed.success) {
    return onlyFailure(`vitest ended with code ${options.exitCode} and left no report`);
  }
  const files = parsed.data.testResults.map((file) => ({ ...file, name: relative(options.root, file.name) }));
  const report = {
    passed: files.flatMap((file) => file.assertionResults).filter((test) => test.status === "passed").length,
    failures: files.flatMap(failuresOf),
    skips: files.flatMap(skipsIn),
  };
  if (report.passed + report.failures.length + report.skips.length === 0) {
    return onlyFailure("no tests were found");
  }
  return options.exitCode !== 0 && report.failures.length === 0
    ? { ...report, failures: [aFailure(`vitest ended with code ${options.exitCode}: an error outside of the tests`)] }
    : report;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A file that breaks before its first test, or in a hook, is one failure: none of its tests may say so. */
function failuresOf(file: TestFile): readonly Failure[] {
  const failures = file.assertionResults
    .filter((test) => test.status === "failed")
    .map((test) => ({ file: file.name, name: nameOf(test), message: test.failureMessages.join("\n") }));
  return file.status === "failed" && failures.length === 0
    ? [{ file: file.name, name: "(the file itself)", message: file.message }]
    : failures;
}

/** Whatever neither passed nor failed did not run: vitest calls it skipped, pending, todo or disabled. */
function skipsIn(file: TestFile): readonly Skip[] {
  return file.assertionResults
    .filter((test) => test.status !== "passed" && test.status !== "failed")
    .map((test) => ({ file: file.name, name: nameOf(test), reason: reasonOf(test) }));
}

/** A file that runs in several projects has a test of the same name in each. */
function nameOf({ fullName, meta }: Assertion): string {
  return meta?.project === undefined ? fullName.trim() : `${fullName.trim()} [${meta.project}]`;
}

function reasonOf(test: Assertion): string {
  return test.meta?.skipReason ?? (test.status === "todo" ? "still to be written" : "no reason given");
}

function onlyFailure(message: string): TestReport {
  return { passed: 0, failures: [aFailure(message)], skips: [] };
}

function aFailure(message: string): Failure {
  return { file: "vitest", name: "(the run itself)", message };
}
