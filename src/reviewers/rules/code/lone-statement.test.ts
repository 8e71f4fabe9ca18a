import { describe, expect, it } from "vitest";
import { indexLines } from "#core/diff/line-index.ts";
import { makeChangedFile } from "#reviewers/rules/changed-file.ts";
import { isRemovable } from "#reviewers/rules/code/lone-statement.ts";
import { aJob, newFile, parsed } from "#testing/rules-makers.ts";

/** Whether the line with `here` can go. */
function mayGo(path: string, ...lines: readonly string[]): boolean {
  const diff = parsed(aJob([newFile(path, ...lines)]));
  const [first] = diff.files;
  if (first === undefined) throw new Error("no file");
  const file = makeChangedFile(indexLines(diff, first), null);
  const line = file.lines.find((one) => one.text.includes("here"));
  if (line === undefined) throw new Error("no line");
  return isRemovable(line, file.language);
}

describe("a statement can go", () => {
  it.each<readonly [string, ...string[]]>([
    ["a.ts", "here();"],
    ["a.ts", "run();", "here();"],
    ["a.ts", "if (a) {", "  here();", "}"],
    ["a.ts", "run();", "// A word about it.", "", "here();"],
    ["a.py", "x = 1", "here()"],
    ["a.py", "if a:", "    here()", "    run()"],
    ["a.py", "if a:", "    run()", "    here()"],
  ])("in %s after %s", (path, ...lines) => {
    expect(mayGo(path, ...lines)).toBe(true);
  });

  it.each<readonly [string, ...string[]]>([
    ["a.ts", "if (a)", "  here();", "run();"],
    ["a.ts", "else", "  here();"],
    ["a.ts", "const f = () =>", "  here();"],
    ["a.ts", "run(", "  here();"],
    ["a.py", "if a:", "    here()"],
    ["a.py", "if a:", "    here()", "run()"],
    ["a.py", "here()"],
  ])("but not in %s after %s", (path, ...lines) => {
    expect(mayGo(path, ...lines)).toBe(false);
  });
});
