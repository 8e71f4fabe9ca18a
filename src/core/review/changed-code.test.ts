import { describe, expect, it } from "vitest";
import type { RawFinding } from "#core/model/finding.ts";
import { type ChangedCode, isOnChangedCode } from "#core/review/changed-code.ts";
import { aFinding } from "#testing/makers.ts";

const changed: ChangedCode = {
  kind: "parts",
  paths: new Map([
    ["src/parser.ts", { old: [{ first: 90, last: 90 }], new: [{ first: 10, last: 12 }] }],
    ["src/moved.ts", { old: [], new: [] }],
  ]),
};

function on(first: number, last: number, over: Partial<RawFinding> = {}): boolean {
  return isOnChangedCode(aFinding("f", { lines: { first, last }, ...over }), changed);
}

describe("a finding is on changed code", () => {
  it("when one of its lines came in or went away", () => {
    expect([on(12, 12), on(12, 30), on(1, 10), on(1, 99), on(11, 11)]).toEqual([true, true, true, true, true]);
    expect(on(90, 90, { side: "old" })).toBe(true);
  });

  it("when it is about a file of which anything changed", () => {
    expect(on(1, 1, { snippet: "" })).toBe(true);
  });

  it("when nobody knows what changed", () => {
    expect(isOnChangedCode(aFinding("f"), { kind: "everything" })).toBe(true);
  });
});

describe("a finding is on unchanged code", () => {
  it("when the change is beside it, on the other side or in another file", () => {
    expect([on(9, 9), on(13, 13), on(90, 90), on(11, 11, { side: "old" })]).toEqual([false, false, false, false]);
    expect(on(11, 11, { path: "src/other.ts" })).toBe(false);
  });

  it("when its file was only moved", () => {
    expect(on(1, 1, { path: "src/moved.ts", snippet: "" })).toBe(false);
  });
});
