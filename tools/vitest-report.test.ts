import { describe, expect, it } from "vitest";
import { readVitestReport } from "./vitest-report.ts";

interface ATest {
  readonly status: string;
  readonly reason?: string;
  readonly project?: string;
}

function aFile(tests: readonly ATest[], file: { status?: string; message?: string } = {}) {
  return {
    name: "/house/src/a.test.ts",
    status: file.status ?? (tests.some((test) => test.status === "failed") ? "failed" : "passed"),
    message: file.message ?? "",
    assertionResults: tests.map((test, index) => ({
      fullName: ` adds ${index}`,
      status: test.status,
      failureMessages: test.status === "failed" ? ["expected 1"] : [],
      meta: { skipReason: test.reason, project: test.project },
    })),
  };
}

function read(files: readonly unknown[], exitCode: number) {
  return readVitestReport({ text: JSON.stringify({ testResults: files }), exitCode, root: "/house" });
}

describe("a report of vitest", () => {
  it("is counted test by test, with paths from the root", () => {
    expect(read([aFile([{ status: "passed" }, { status: "failed" }]), aFile([{ status: "passed" }])], 1)).toEqual({
      passed: 2,
      failures: [{ file: "src/a.test.ts", name: "adds 1", message: "expected 1" }],
      skips: [],
    });
  });

  it("names what did not run, and why", () => {
    const tests = [{ status: "skipped", reason: "no browser" }, { status: "pending" }, { status: "todo" }];
    expect(read([aFile([{ status: "passed" }, ...tests])], 0).skips).toEqual([
      { file: "src/a.test.ts", name: "adds 1", reason: "no browser" },
      { file: "src/a.test.ts", name: "adds 2", reason: "no reason given" },
      { file: "src/a.test.ts", name: "adds 3", reason: "still to be written" },
    ]);
  });

  it("says in which project something failed or did not run", () => {
    const tests = [
      { status: "failed", project: "postgres" },
      { status: "skipped", reason: "no server", project: "postgres" },
    ];
    expect(read([aFile(tests)], 1)).toMatchObject({
      failures: [{ name: "adds 0 [postgres]" }],
      skips: [{ name: "adds 1 [postgres]" }],
    });
  });

  it("fails for a file that breaks before its first test", () => {
    expect(read([aFile([], { status: "failed", message: "cannot find module" })], 1)).toEqual({
      passed: 0,
      failures: [{ file: "src/a.test.ts", name: "(the file itself)", message: "cannot find module" }],
      skips: [],
    });
  });

  it("fails for an error outside of the tests, which only the exit code tells", () => {
    const report = read([aFile([{ status: "passed" }])], 1);
    expect(report.passed).toBe(1);
    expect(report.failures).toHaveLength(1);
  });

  it("fails if there is not one test", () => {
    expect(read([], 0).failures).toMatchObject([{ message: "no tests were found" }]);
    expect(read([aFile([])], 0).failures).toMatchObject([{ message: "no tests were found" }]);
  });

  it.each(["", "{", "{}", "[]", '{"testResults":[{}]}'])("fails if there is no report but %j", (text) => {
    expect(readVitestReport({ text, exitCode: 0, root: "/house" })).toMatchObject({
      passed: 0,
      failures: [{ message: "vitest ended with code 0 and left no report" }],
    });
  });
});
