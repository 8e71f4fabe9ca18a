import { describe, expect, it } from "vitest";
import type { RawFinding } from "#core/model/finding.ts";
import { compareFindings, linesApart } from "#core/review/finding-order.ts";
import { aFinding } from "#testing/makers.ts";

const one = aFinding("f", { lines: { first: 3, last: 5 } });

describe("the order of findings", () => {
  it.each<Partial<RawFinding>>([
    { path: "src/zebra.ts" },
    { side: "old" },
    { lines: { first: 4, last: 5 } },
    { lines: { first: 3, last: 6 } },
    { rule: "naming" },
    { score: 3 },
    { role: "security" },
    { snippet: "x" },
    { message: "Other words." },
    { assessment: "Sure." },
    { suggestion: "" },
    { suggestion: "x" },
  ])("tells apart what differs in %o, and is the same both ways", (over) => {
    const other = { ...one, ...over };
    expect(compareFindings(one, other)).not.toBe(0);
    expect(Math.sign(compareFindings(one, other))).toBe(-Math.sign(compareFindings(other, one)));
  });

  it("does not tell equals apart", () => {
    expect(compareFindings(one, { ...one })).toBe(0);
  });

  it("goes through a file from the top, and puts the most serious report of a place first", () => {
    const [lower, worse] = [aFinding("f", { lines: { first: 10, last: 10 }, score: 10 }), { ...one, score: 9 }];
    expect([lower, one, worse].toSorted(compareFindings)).toEqual([worse, one, lower]);
  });
});

it("findings are no lines apart only if they cover the same lines", () => {
  expect(linesApart(one, { ...one })).toBe(0);
  expect(linesApart(one, aFinding("f", { lines: { first: 3, last: 3 } }))).toBe(2);
  expect(linesApart(one, aFinding("f", { lines: { first: 1, last: 9 } }))).toBe(6);
});
