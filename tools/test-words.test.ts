import { expect, it } from "vitest";
import type { StepResult } from "./test-result.ts";
import { summary } from "./test-words.ts";

const results: readonly StepResult[] = [
  { name: "format", seconds: 0.31, outcome: { kind: "passed" } },
  { name: "lint", seconds: 12, outcome: { kind: "failed", output: "a.ts: floating promise" } },
  {
    name: "tests",
    seconds: 100,
    outcome: {
      kind: "tested",
      report: {
        passed: 7,
        failures: [{ file: "src/a.test.ts", name: "adds", message: "expected 1\nto be 2" }],
        skips: [{ file: "test/b.test.ts", name: "shows the page", reason: "no Chromium here" }],
      },
    },
  },
  { name: "tree", seconds: 0, outcome: { kind: "not_applicable", why: "this is not a git checkout" } },
];

it("sums a run up: steps, skips with their reasons, failures, and the line that scripts read", () => {
  expect(summary(results, { areSkipsForbidden: false, left: new Map() })).toMatchInlineSnapshot(`
    "format  ok         0.3 s
    lint    FAILED    12.0 s
    tests   FAILED   100.0 s  7 passed, 1 failed, 1 skipped
    tree    -          0.0 s  this is not a git checkout

    Skipped:
      test/b.test.ts: shows the page (no Chromium here)

    Failed:
      lint (its output is above)
      src/a.test.ts: adds: expected 1

    8 passed, 2 failed, 1 skipped"
  `);
});

it("the words of a run say that a skipped test is forbidden, and count it as failed", () => {
  const text = summary(results, { areSkipsForbidden: true, left: new Map() });
  expect(text).toContain("Skipped, which is forbidden here:\n  test/b.test.ts: shows the page (no Chromium here)");
  expect(text.split("\n").at(-1)).toBe("8 passed, 3 failed");
});

it("the words of a run list nothing when all is well", () => {
  const fine: StepResult = { name: "types", seconds: 1, outcome: { kind: "passed" } };
  expect(summary([fine], { areSkipsForbidden: true, left: new Map() })).toBe(
    "types   ok         1.0 s\n\n1 passed, 0 failed",
  );
});

it("the words of a quick run name what it left out, before the line that scripts read", () => {
  const fine: StepResult = { name: "types", seconds: 1, outcome: { kind: "passed" } };
  const left = new Map([
    ["databases", 41],
    ["gitea", 1],
  ]);
  expect(summary([fine], { areSkipsForbidden: false, left }).split("\n").slice(-3)).toEqual([
    "Left to npm test -- --all: databases (41 files), gitea (1 file)",
    "",
    "1 passed, 0 failed",
  ]);
});
