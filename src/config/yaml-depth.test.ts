import { describe, expect, it } from "vitest";
import { readYaml } from "#config/parse-config.ts";
import { isNestedTooDeep } from "#config/yaml-depth.ts";

const levels = 10_000;

describe("YAML that is nested beyond all sense", () => {
  // Without the check the first two of them end the process itself, so that no test of this file has a result.
  it.each([
    ["lists in brackets", "[".repeat(levels) + "]".repeat(levels)],
    ["brackets that never close", "[".repeat(levels)],
    ["maps in braces", "{a: ".repeat(levels)],
    ["lists in one line", `${"- ".repeat(levels)}a`],
    ["keys that are maps", `${"? ".repeat(levels)}a`],
    ["ever deeper lines", Array.from({ length: 60 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")],
  ])("is a problem, and nothing worse: %s", (_, text) => {
    expect(readYaml(text)).toEqual({ kind: "wrong", problems: ["it is nested too deeply"] });
  });

  it("is not what people write", () => {
    expect(isNestedTooDeep("a: { b: [{ c: [[1], 2] }] }\nd:\n  - e:\n      - f: g\n")).toBe(false);
    expect(isNestedTooDeep(`a: "${"[".repeat(levels)}"\nb: |\n  ${"- ".repeat(levels)}\n`)).toBe(false);
    expect(isNestedTooDeep("")).toBe(false);
  });
});
