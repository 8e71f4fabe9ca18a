import { expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { parseDiff } from "#core/diff/diff.ts";
import { type FileLines, indexLines } from "#core/diff/line-index.ts";
import { findHunk, newLineOf } from "#core/diff/line-map.ts";

function linesOf(...text: readonly string[]): FileLines {
  const outcome = parseDiff(encodeText(text.map((line) => `${line}\n`).join("")));
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  const [file] = outcome.diff.files;
  if (file === undefined) throw new Error("no file");
  return indexLines(outcome.diff, file);
}

const names = ["diff --git a/x b/x", "index 1111..2222 100644", "--- a/x", "+++ b/x"];

it("maps lines before, in, between and after hunks", () => {
  const lines = linesOf(...names, "@@ -5,2 +5,3 @@", " five", "-six", "+6", "+7", "@@ -20,2 +21 @@", "-twenty", " 21");
  expect([1, 5, 6, 7, 19, 20, 21, 22].map((line) => newLineOf(lines, line))).toEqual([
    1,
    5,
    undefined,
    8,
    20,
    undefined,
    21,
    22,
  ]);
});

it("maps around hunks that have no line on one side", () => {
  const lines = linesOf(...names, "@@ -3,0 +4,2 @@", "+a", "+b", "@@ -9,2 +10,0 @@", "-c", "-d");
  expect([3, 4, 8, 9, 10, 11].map((line) => newLineOf(lines, line))).toEqual([3, 6, 10, undefined, undefined, 11]);
});

it("maps nothing where a side is missing or unknown", () => {
  const added = linesOf(
    "diff --git a/x b/x",
    "new file mode 100644",
    "index 0000..2222",
    ...names.slice(3, 3),
    "--- /dev/null",
    "+++ b/x",
    "@@ -0,0 +1 @@",
    "+a",
  );
  const binary = linesOf(...names.slice(0, 2), "Binary files a/x and b/x differ");
  expect([newLineOf(added, 9), newLineOf(binary, 1)]).toEqual([undefined, undefined]);
});

it("maps every line of a file that was only renamed to itself", () => {
  const lines = linesOf("diff --git a/x b/y", "similarity index 100%", "rename from x", "rename to y");
  expect([newLineOf(lines, 7), newLineOf(lines, 0), newLineOf(lines, 1.5)]).toEqual([7, undefined, undefined]);
});

it("a line is found in the hunk that shows it on its side", () => {
  const lines = linesOf(...names, "@@ -5,2 +5,3 @@", " five", "-six", "+6", "+7");
  const sides = ["old", "new"] as const;
  const found = (side: "old" | "new", line: number): number | undefined => findHunk(lines.hunks, { side, line });
  const shown = sides.map((side) => [4, 5, 6, 7, 8, 5.5, Number.NaN].filter((line) => found(side, line) === 0));
  expect(shown).toEqual([
    [5, 6],
    [5, 6, 7],
  ]);
});
