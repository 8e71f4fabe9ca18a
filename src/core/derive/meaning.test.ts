import { describe, expect, it } from "vitest";
import { meaningOf } from "#core/derive/meaning.ts";

describe("what a remark means", () => {
  it.each([
    ["Rename it.", "Rename it!"],
    ["rename it", "Rename it."],
    ["Rename  it,\nplease", "Rename it, please."],
    ["Rename *it*.\r\n", "Rename it."],
  ])("does not change with its spelling: %j and %j", (before, after) => {
    expect(meaningOf(after)).toBe(meaningOf(before));
  });

  it.each([
    ["Rename it.", "Do not rename it."],
    ["Return 1.", "Return -1."],
    ["Call it Parser.", "Call it parser."],
    ["Use `a.b`.", "Use `a,b`."],
    ["```suggestion\nrun(a)\n```", "```suggestion\nrun( a)\n```"],
    ["Rename it.", ""],
  ])("changes with its words and its code: %j and %j", (before, after) => {
    expect(meaningOf(after)).not.toBe(meaningOf(before));
  });
});
