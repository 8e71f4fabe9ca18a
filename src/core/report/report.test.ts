import { describe, expect, it } from "vitest";
import { isPartial, reportExitCode } from "#core/report/report.ts";
import { aReport, aReportFinding, aRolePassOutcome } from "#testing/report-makers.ts";

const blocking = aReportFinding();
const problem = aReportFinding({ rule: "swallowed-error", score: 5, lines: { first: 3, last: 3 }, snippet: "}" });
const failed = {
  role: "general",
  reviewer: "rules",
  outcome: { kind: "failed", why: "The world ended.", costMicroUsd: 0 },
} as const;
const notRun = { role: "deep", reviewer: "model", outcome: { kind: "not_run", why: "None is configured." } } as const;

describe("the exit code", () => {
  it.each([
    ["blocking", [], 0],
    ["blocking", [problem], 0],
    ["blocking", [problem, blocking], 1],
    ["problem", [], 0],
    ["problem", [problem], 1],
    ["never", [problem, blocking], 0],
  ] as const)("with --fail-on %s is right (case %#)", (failOn, findings, code) => {
    expect(reportExitCode(aReport(findings), failOn)).toBe(code);
  });

  it("is never that of a pass where a role failed", () => {
    expect(reportExitCode(aReport([], { looks: [failed] }), "blocking")).toBe(1);
    expect(reportExitCode(aReport([], { looks: [failed] }), "never")).toBe(0);
  });
});

describe("a report", () => {
  it("drops what is below the threshold, and says how much that was", () => {
    const report = aReport([blocking, aReportFinding({ score: 4, snippet: "}" })]);
    expect(report.findings.map(({ severity }) => severity)).toEqual(["blocking"]);
    expect(report.belowThreshold).toBe(1);
  });

  it("counts what was spent, for nothing too", () => {
    const outcome = { kind: "failed", why: "No answer.", costMicroUsd: 30 } as const;
    const done = { ...aRolePassOutcome([]), costMicroUsd: 12 };
    const looks = [outcome, done].map((each) => ({ role: "deep", reviewer: "model", outcome: each }));
    expect(aReport([], { looks }).costMicroUsd).toBe(42);
  });

  it("gives each finding an identity of its own that does not depend on lines", () => {
    const [one] = aReport([blocking]).findings;
    const [moved] = aReport([aReportFinding({ lines: { first: 3, last: 3 } })]).findings;
    const twice = aReport([blocking, aReportFinding({ lines: { first: 3, last: 3 } })]).findings;
    expect(moved?.id).toBe(one?.id);
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ["nothing was missed", aReport(), false],
    ["a path is excluded by the rules", aReport([], { leftOut: [{ path: "a", why: "excluded" }] }), false],
    ["a file is too large", aReport([], { leftOut: [{ path: "a", why: "size" }] }), true],
    ["a role failed", aReport([], { looks: [failed] }), true],
    [
      "nobody plays a role",
      aReport([], { looks: [{ role: "general", reviewer: "rules", outcome: aRolePassOutcome([]) }, notRun] }),
      true,
    ],
  ])("is partial or not where %s", (_name, report, expected) => {
    expect(isPartial(report)).toBe(expected);
  });
});
