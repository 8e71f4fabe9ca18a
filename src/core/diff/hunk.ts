import { decodeText } from "#core/diff/decode-text.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";

/** `old` is GitHub's LEFT, `new` its RIGHT. */
export type Side = "old" | "new";

export interface Hunk {
  /** With a count of 0 the start is the line *before* the hunk, 0 at the top of the file. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** The header line begins at `start`, the lines at `bodyStart`; `end` is after the last newline. */
  readonly start: number;
  readonly headingStart: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** Ten numbers for each hunk, so that many thousand of them make no objects. */
export interface HunkTable {
  readonly bytes: Uint8Array;
  readonly hunkRows: Int32Array;
}

export const hunkRowLength = 10;

export const hunkColumn = {
  oldStart: 0,
  oldCount: 1,
  newStart: 2,
  newCount: 3,
  addedLines: 4,
  removedLines: 5,
  start: 6,
  headingStart: 7,
  bodyStart: 8,
  end: 9,
} as const;

export function hunksOf(diff: HunkTable, file: DiffFile): readonly Hunk[] {
  return Array.from({ length: file.hunkCount }, (_, index) => hunkAt(diff, file.hunkFirst + index));
}

function hunkAt({ hunkRows }: HunkTable, index: number): Hunk {
  const read = (column: keyof Hunk): number => hunkRows[index * hunkRowLength + hunkColumn[column]] ?? 0;
  return {
    oldStart: read("oldStart"),
    oldCount: read("oldCount"),
    newStart: read("newStart"),
    newCount: read("newCount"),
    addedLines: read("addedLines"),
    removedLines: read("removedLines"),
    start: read("start"),
    headingStart: read("headingStart"),
    bodyStart: read("bodyStart"),
    end: read("end"),
  };
}

export function hunkHeading(diff: HunkTable, hunk: Hunk): string {
  return decodeText(diff.bytes.subarray(hunk.headingStart, hunk.bodyStart - 1));
}

/** Where the hunk has no line of that side, the one that it would begin with. */
export function firstLine(hunk: Hunk, side: Side): number {
  const start = side === "old" ? hunk.oldStart : hunk.newStart;
  return lineCount(hunk, side) === 0 ? start + 1 : start;
}

export function lineAfter(hunk: Hunk, side: Side): number {
  return firstLine(hunk, side) + lineCount(hunk, side);
}

function lineCount(hunk: Hunk, side: Side): number {
  return side === "old" ? hunk.oldCount : hunk.newCount;
}

export function contextLines(hunk: Hunk): number {
  return hunk.oldCount - hunk.removedLines;
}
