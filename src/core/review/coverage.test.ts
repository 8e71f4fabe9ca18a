import { describe, expect, it } from "vitest";
import type { Coverage } from "#core/model/records.ts";
import { isComplete, mergeCoverages, summariseCoverage } from "#core/review/coverage.ts";

type Why = Coverage["unread"][number]["why"];

function covered(filesRead: number, unread: Readonly<Record<string, Why>> = {}): Coverage {
  return { filesRead, unread: Object.entries(unread).map(([path, why]) => ({ path, why })) };
}

describe("a coverage", () => {
  it("is complete when everything was read, or left out on purpose", () => {
    expect(isComplete(covered(3))).toBe(true);
    expect(isComplete(covered(3, { "dist/a.js": "excluded" }))).toBe(true);
    expect(isComplete(covered(0, { "dist/a.js": "excluded" }))).toBe(true);
  });

  it.each<Why>(["size", "binary", "generated", "budget", "unreadable"])(
    "is partial when a file was not read: %s",
    (why) => {
      expect(isComplete(covered(30, { "dist/a.js": "excluded", b: why }))).toBe(false);
    },
  );

  it("is partial when whoever read it may have been told what to say", () => {
    expect(isComplete({ ...covered(3), isSwayed: true })).toBe(false);
  });

  it("is not complete when it names no file at all", () => {
    expect(isComplete(covered(0))).toBe(false);
  });
});

describe("the coverages of several roles", () => {
  it("have the holes of each of them, with the worst reason", () => {
    const merged = mergeCoverages([covered(5, { b: "size", a: "binary" }), covered(7, { b: "budget" })]);
    expect(merged).toEqual(covered(7, { a: "binary", b: "budget" }));
  });

  it("are as doubtful as the most doubtful of them", () => {
    expect(mergeCoverages([covered(5), { ...covered(2), isSwayed: true }])).toEqual({ ...covered(5), isSwayed: true });
  });

  it("leave out what only some of them exclude", () => {
    const merged = mergeCoverages([covered(5, { a: "excluded", b: "excluded" }), covered(2, { b: "excluded" })]);
    expect(merged).toEqual(covered(5, { b: "excluded" }));
  });

  it("keep a hole that others exclude", () => {
    expect(mergeCoverages([covered(1, { a: "excluded" }), covered(1, { a: "size" })])).toEqual(
      covered(1, { a: "size" }),
    );
  });

  it("are complete together only if each of them is", () => {
    expect(isComplete(mergeCoverages([covered(9), covered(9, { a: "size" })]))).toBe(false);
    expect(isComplete(mergeCoverages([covered(9), covered(4, { a: "excluded" })]))).toBe(true);
    expect(isComplete(mergeCoverages([]))).toBe(false);
  });
});

it("a summary lists the unread by reason, the worst first, each path once", () => {
  const coverage = covered(2, { z: "excluded", b: "size", a: "size", c: "unreadable" });
  expect(summariseCoverage({ ...coverage, unread: [...coverage.unread, ...coverage.unread] })).toEqual({
    isComplete: false,
    filesRead: 2,
    unread: [
      { why: "unreadable", paths: ["c"] },
      { why: "size", paths: ["a", "b"] },
      { why: "excluded", paths: ["z"] },
    ],
  });
});
