import { describe, expect, it } from "vitest";
import { mixedScript } from "#reviewers/rules/text/mixed-script.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("mixed-script", () => {
  it("finds a Cyrillic letter in a Latin name, and says which", async () => {
    const [finding] = await findingsOf(mixedScript, [newFile("a.ts", "let is\u0410dmin = false;")]);
    expect(finding?.message).toContain("U+0410");
  });

  it.each([
    ["a.py", "p\u0430ssword = 1"],
    ["a.go", "func \u039Fpen() {}"],
  ])("finds a word of mixed scripts in %s: %s", async (path, line) => {
    expect(await placesOf(mixedScript, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["a word in one script", "a.py", "привет = 1"],
    ["mathematics", "a.py", "Δt = μs * λ_max"],
    ["a string", "a.ts", 'const text = "c\u0430t";'],
    ["a comment", "a.ts", "run(); // c\u0430t"],
    ["a name that is openly Russian", "a.ts", "const getПривет = 1;"],
    ["prose", "a.md", "c\u0430t"],
  ])("lets %s pass", async (_name, path, line) => {
    expect(await placesOf(mixedScript, [newFile(path, line)])).toEqual([]);
  });
});
