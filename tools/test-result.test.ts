import { describe, expect, it } from "vitest";
import { countResults, hasFailed, lastLine, type StepOutcome, type StepResult } from "./test-result.ts";

function aResult(outcome: StepOutcome): StepResult {
  return { name: "a step", seconds: 1, outcome };
}

function tested(counts: { passed?: number; failed?: number; skipped?: number }): StepOutcome {
  const each = { file: "a.test.ts", name: "a test" };
  return {
    kind: "tested",
    report: {
      passed: counts.passed ?? 0,
      failures: Array.from({ length: counts.failed ?? 0 }, () => ({ ...each, message: "no" })),
      skips: Array.from({ length: counts.skipped ?? 0 }, () => ({ ...each, reason: "no browser" })),
    },
  };
}

const results = [
  aResult({ kind: "passed" }),
  aResult({ kind: "failed", output: "wrong" }),
  aResult({ kind: "not_applicable", why: "this is not a git checkout" }),
  aResult(tested({ passed: 10, failed: 2, skipped: 3 })),
];

describe("the count of a run", () => {
  it("takes every test, and one for each other step that applies", () => {
    expect(countResults(results, { areSkipsForbidden: false })).toEqual({ passed: 11, failed: 3, skipped: 3 });
  });

  it("takes a skipped test for a failed one where skips are forbidden", () => {
    expect(countResults(results, { areSkipsForbidden: true })).toEqual({ passed: 11, failed: 6, skipped: 0 });
  });

  it("is 0 for no steps", () => {
    expect(countResults([], { areSkipsForbidden: true })).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

describe("the last line", () => {
  it("names skips only if there were some", () => {
    expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe("12 passed, 0 failed");
    expect(lastLine({ passed: 12, failed: 1, skipped: 2 })).toBe("12 passed, 1 failed, 2 skipped");
  });
});

describe("a step", () => {
  it("has failed if one of its tests has, whatever the others did", () => {
    const rules = { areSkipsForbidden: false };
    expect(hasFailed(tested({ passed: 9, failed: 1 }), rules)).toBe(true);
    expect(hasFailed(tested({ passed: 9, skipped: 1 }), rules)).toBe(false);
    expect(hasFailed(tested({ passed: 9, skipped: 1 }), { areSkipsForbidden: true })).toBe(true);
    expect(hasFailed({ kind: "failed", output: "" }, rules)).toBe(true);
    expect(hasFailed({ kind: "not_applicable", why: "" }, rules)).toBe(false);
  });
});
