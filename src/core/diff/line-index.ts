import { byte, scanLineEnd, viewOf } from "#core/diff/byte-scan.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { contextLines, firstLine, type Hunk, type HunkTable, hunksOf } from "#core/diff/hunk.ts";

/** The lines of one file by offsets. Make it once per file and keep it. */
export interface FileLines {
  readonly bytes: Uint8Array;
  readonly file: DiffFile;
  readonly hunks: readonly Hunk[];
  /** At the end the number of all lines. */
  readonly hunkStarts: Int32Array;
  readonly length: number;
  readonly marks: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Where the line is not on that side, the number of the next one that is. */
  readonly oldNumbers: Int32Array;
  readonly newNumbers: Int32Array;
}

export const lineMark = { context: 0, added: 1, removed: 2 } as const;

/** A file without text has no lines. */
export function indexLines(diff: HunkTable, file: DiffFile): FileLines {
  const hunks = hunksOf(diff, file);
  const length = hunks.reduce((sum, hunk) => sum + contextLines(hunk) + hunk.addedLines + hunk.removedLines, 0);
  const lines = {
    bytes: diff.bytes,
    file,
    hunks,
    hunkStarts: new Int32Array(hunks.length + 1),
    length,
    marks: new Uint8Array(length),
    starts: new Int32Array(length),
    ends: new Int32Array(length),
    oldNumbers: new Int32Array(length),
    newNumbers: new Int32Array(length),
  };
  const view = viewOf(diff.bytes);
  let next = 0;
  for (const [index, hunk] of hunks.entries()) {
    lines.hunkStarts[index] = next;
    next = indexHunk({ lines, view, hunk, first: next });
  }
  lines.hunkStarts[hunks.length] = next;
  return lines;
}

interface HunkInput {
  readonly lines: FileLines;
  readonly view: DataView;
  readonly hunk: Hunk;
  readonly first: number;
}

/** Answers the index after the last line. The parser has checked every line already. */
function indexHunk({ lines, view, hunk, first }: HunkInput): number {
  const { bytes, marks, starts, ends, oldNumbers, newNumbers } = lines;
  let oldNumber = firstLine(hunk, "old");
  let newNumber = firstLine(hunk, "new");
  let index = first;
  for (let at = hunk.bodyStart; at < hunk.end; ) {
    const end = scanLineEnd(view, at);
    const marker = bytes[at];
    // A backslash marks the end of a file and is no line.
    if (marker !== byte.backslash) {
      // Some tools write an empty context line without its space.
      starts[index] = marker === byte.newline ? at : at + 1;
      ends[index] = end;
      oldNumbers[index] = oldNumber;
      newNumbers[index] = newNumber;
      marks[index] =
        marker === byte.plus ? lineMark.added : marker === byte.minus ? lineMark.removed : lineMark.context;
      if (marker !== byte.plus) oldNumber += 1;
      if (marker !== byte.minus) newNumber += 1;
      index += 1;
    }
    at = end + 1;
  }
  return index;
}

export function lineText(lines: FileLines, index: number): string {
  return decodeText(lines.bytes.subarray(lines.starts[index], lines.ends[index]));
}
