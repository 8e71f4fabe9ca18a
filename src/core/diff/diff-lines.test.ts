import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/decode-text.ts";
import { parseDiff } from "#core/diff/diff.ts";
import { type DiffLine, iterateLines } from "#core/diff/diff-lines.ts";
import { type FileLines, indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import { findHunk, newLineOf } from "#core/diff/line-map.ts";

interface Edit {
  readonly kind: DiffLine["kind"];
  readonly text: string;
}

/** An edit that knows its place: the numbers that its line has, or would have, on each side. */
interface PlacedEdit extends Edit {
  readonly oldLine: number;
  readonly newLine: number;
}

/** Writes the unified diff of an edit script in the plainest way, and says which edits it shows in which hunk. */
function writeDiff(
  edits: readonly Edit[],
  contextLines: number,
): { readonly text: string; readonly hunks: readonly PlacedEdit[][] } {
  const placed = placeEdits(edits);
  const isShown = placed.map((_, index) =>
    placed.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ kind }) => kind !== "context"),
  );
  const hunks: PlacedEdit[][] = [];
  for (const [index, edit] of placed.entries()) {
    if (!isShown[index]) continue;
    if (index === 0 || !isShown[index - 1]) hunks.push([]);
    hunks.at(-1)?.push(edit);
  }
  const text = hunks.map((hunk) => writeHunk(hunk)).join("");
  return { text: `--- a/x\n+++ b/x\n${text}`, hunks };
}

function placeEdits(edits: readonly Edit[]): readonly PlacedEdit[] {
  let oldLine = 1;
  let newLine = 1;
  return edits.map((edit) => {
    const placed = { ...edit, oldLine, newLine };
    if (edit.kind !== "added") oldLine += 1;
    if (edit.kind !== "removed") newLine += 1;
    return placed;
  });
}

const markers = { context: " ", added: "+", removed: "-" };

function writeHunk(hunk: readonly PlacedEdit[]): string {
  const range = (side: "oldLine" | "newLine", other: DiffLine["kind"]): string => {
    const count = hunk.filter(({ kind }) => kind !== other).length;
    const start = hunk[0]?.[side] ?? 0;
    return `${count === 0 ? start - 1 : start},${count}`;
  };
  const header = `@@ -${range("oldLine", "added")} +${range("newLine", "removed")} @@ heading\n`;
  return header + hunk.map(({ kind, text }) => `${markers[kind]}${text}\n`).join("");
}

interface Read {
  readonly lines: FileLines;
  readonly all: readonly DiffLine[];
}

function read(bytes: Uint8Array): Read {
  const outcome = parseDiff(bytes);
  if (outcome.kind !== "diff") throw new Error(`${outcome.reason} at ${outcome.offset}`);
  const [file] = outcome.diff.files;
  if (file === undefined) throw new Error("no file");
  return { lines: indexLines(outcome.diff, file), all: [...iterateLines(outcome.diff, file)] };
}

function linesOf(text: string): FileLines {
  return read(encodeText(text)).lines;
}

const edit = fc.record<Edit>({
  kind: fc.constantFrom("context", "context", "context", "added", "removed"),
  text: fc.constantFrom(
    "",
    "x",
    "-- a",
    "++ b",
    "@@ -1 +1 @@",
    "diff --git a/x b/x",
    "\tcr\r",
    "grüße 🐄",
    "\\ No newline",
    "\uFEFFbom",
  ),
});
const edits = fc
  .array(edit, { minLength: 1, maxLength: 60 })
  .filter((all) => all.some(({ kind }) => kind !== "context"));
const contextLines = fc.nat(4);

describe("the lines of a written diff", () => {
  it("come back with their kinds, numbers and text", () => {
    fc.assert(
      fc.property(edits, contextLines, (script, context) => {
        const { text, hunks } = writeDiff(script, context);
        const seen = read(encodeText(text)).all.map(({ kind, oldLine, newLine, text: line }) => ({
          kind,
          oldLine,
          newLine,
          text: line,
        }));
        const expected = hunks.flat().map(({ kind, oldLine, newLine, text: line }) => ({
          kind,
          oldLine: kind === "added" ? undefined : oldLine,
          newLine: kind === "removed" ? undefined : newLine,
          text: line,
        }));
        expect(seen).toEqual(expected);
      }),
    );
  });

  it("stand in the index as they are iterated", () => {
    fc.assert(
      fc.property(edits, contextLines, (script, context) => {
        const { lines, all } = read(encodeText(writeDiff(script, context).text));
        const indexed = all.map((_, index) => ({
          mark: lines.marks[index],
          text: lineText(lines, index),
          start: lines.starts[index],
          end: lines.ends[index],
        }));
        expect(indexed).toEqual(all.map(({ kind, text, start, end }) => ({ mark: lineMark[kind], text, start, end })));
        expect(lines.length).toBe(all.length);
      }),
    );
  });

  it("are mapped from side to side, in hunks and between them", () => {
    fc.assert(
      fc.property(edits, contextLines, (script, context) => {
        const lines = linesOf(writeDiff(script, context).text);
        const placed = placeEdits(script);
        const old = placed.filter(({ kind }) => kind !== "added");
        expect(old.map(({ oldLine }) => newLineOf(lines, oldLine))).toEqual(
          old.map(({ kind, newLine }) => (kind === "context" ? newLine : undefined)),
        );
      }),
    );
  });

  it("are in the diff, and together, exactly where a hunk shows them", () => {
    fc.assert(
      fc.property(edits, contextLines, (script, context) => {
        const { text, hunks } = writeDiff(script, context);
        const lines = linesOf(text);
        const all = placeEdits(script).filter(({ kind }) => kind !== "removed");
        for (const { newLine } of all) {
          const home = hunks.find((hunk) => newLinesOf(hunk).includes(newLine));
          const hunk = findHunk(lines.hunks, { side: "new", line: newLine });
          expect(hunk !== undefined).toBe(home !== undefined);
          for (const { newLine: other } of all) {
            const isTogether = home !== undefined && newLinesOf(home).includes(other);
            const otherHunk = findHunk(lines.hunks, { side: "new", line: other });
            expect(hunk !== undefined && hunk === otherHunk).toBe(isTogether);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

function newLinesOf(hunk: readonly PlacedEdit[]): readonly number[] {
  return hunk.filter(({ kind }) => kind !== "removed").map(({ newLine }) => newLine);
}

describe("a line", () => {
  it("knows whether a newline ends it", () => {
    const end = "\\ No newline at end of file\n";
    const { all } = read(encodeText(`--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n${end}+2\n${end}`));
    expect(all.map(({ text, hasNewline }) => [text, hasNewline])).toEqual([
      ["one", true],
      ["two", false],
      ["2", false],
    ]);
  });

  it("keeps its carriage return and the offsets of bytes that are not UTF-8", () => {
    const text = "--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+one\r\n+?two\n";
    const bytes = encodeText(text);
    bytes[text.indexOf("?")] = 0xff;
    const [first, second] = read(bytes).all;
    expect([first?.text, second?.text]).toEqual(["one\r", "\uFFFDtwo"]);
    expect(bytes.slice(second?.start, second?.end)).toEqual(Uint8Array.of(0xff, 116, 119, 111));
  });
});
