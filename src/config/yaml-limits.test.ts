import { describe, expect, it } from "vitest";
import { readYaml } from "#config/parse-config.ts";
import { findYamlLimitExceeded } from "#config/yaml-limits.ts";

const levels = 10_000;

function keys(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `k${index}`);
}

describe("YAML with too much in it", () => {
  // Without the check some of them end the process itself, so that no test of this file has a result.
  it.each([
    ["lists in brackets", "[".repeat(levels) + "]".repeat(levels)],
    ["brackets that never close", "[".repeat(levels)],
    ["maps in braces", "{a: ".repeat(levels / 2)],
    ["lists in one line", `${"- ".repeat(levels)}a`],
    ["keys that are maps", `${"? ".repeat(levels)}a`],
    ["ever deeper lines", Array.from({ length: 60 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")],
  ])("is a problem, and nothing worse: %s", (_, text) => {
    expect(readYaml(text)).toEqual({ kind: "wrong", problems: ["it is nested too deeply"] });
  });

  it.each([
    ["more than 1000 keys in one place", keys(4_000).join(":\n").concat(":")],
    ["more than 1000 keys in one place", `a: { ${keys(4_000).join(", ")} }`],
    ["more than 30000 words and marks", `[${",".repeat(64_000)}`],
    ["more than 30000 words and marks", "{}\n".repeat(20_000)],
    ["more than 100 aliases", `a: &a x\n${keys(900).join(": *a\n")}: *a`],
  ])("is not worked through for seconds: %s", (what, text) => {
    expect(readYaml(text)).toEqual({ kind: "wrong", problems: [`it has ${what}`] });
  });

  it("is not what people write", () => {
    expect(findYamlLimitExceeded("a: { b: [{ c: [[1], 2] }] }\nd:\n  - e:\n      - f: g\n")).toBeUndefined();
    expect(findYamlLimitExceeded(`a: "${"[".repeat(levels)}"\nb: |\n  ${"- ".repeat(levels)}\n`)).toBeUndefined();
    expect(findYamlLimitExceeded(`list: [${keys(5_000).join(", ")}]\na: &a x\nb: [*a, *a]`)).toBeUndefined();
    expect(findYamlLimitExceeded("")).toBeUndefined();
  });
});
