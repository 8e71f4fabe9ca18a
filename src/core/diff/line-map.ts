import { firstLine, type Hunk, lineAfter, type Side } from "#core/diff/hunk.ts";
import { type FileLines, lineMark } from "#core/diff/line-index.ts";

export interface LinePoint {
  readonly side: Side;
  readonly line: number;
}

/** Undefined: it was removed, or it cannot be told. */
export function newLineOf(lines: FileLines, oldLine: number): number | undefined {
  if (!Number.isInteger(oldLine) || oldLine < 1 || !hasBothSides(lines)) return undefined;
  const hunk = findHunk(lines.hunks, { side: "old", line: oldLine });
  return hunk === undefined ? mapBetweenHunks(lines, oldLine) : mapInHunk(lines, hunk, oldLine);
}

export function findHunk(hunks: readonly Hunk[], { side, line }: LinePoint): number | undefined {
  if (!Number.isInteger(line)) return undefined;
  const index = lastHunkFrom(hunks, { side, line });
  const hunk = hunks[index];
  return hunk !== undefined && line < lineAfter(hunk, side) ? index : undefined;
}

/** An added or deleted file has one side, and of a binary or omitted change it is unknown. */
function hasBothSides({ file }: FileLines): boolean {
  const { kind, content } = file;
  return kind !== "added" && kind !== "deleted" && (content.kind === "text" || content.kind === "none");
}

function lastHunkFrom(hunks: readonly Hunk[], { side, line }: LinePoint): number {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const hunk = hunks[middle];
    if (hunk !== undefined && firstLine(hunk, side) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function mapInHunk(lines: FileLines, hunk: number, oldLine: number): number | undefined {
  // The last entry with this number is the line itself; those before it are added lines that precede it.
  let low = lines.hunkStarts[hunk] ?? 0;
  let high = lines.hunkStarts[hunk + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines.oldNumbers[middle] ?? 0) <= oldLine) low = middle + 1;
    else high = middle;
  }
  return lines.marks[low - 1] === lineMark.context ? lines.newNumbers[low - 1] : undefined;
}

/** `--ignore-blank-lines` and `-I` leave changes out: then a gap is longer on one side, and nothing in it certain. */
function mapBetweenHunks({ hunks }: FileLines, oldLine: number): number | undefined {
  const index = lastHunkFrom(hunks, { side: "old", line: oldLine });
  const before = hunks[index];
  const after = hunks[index + 1];
  const own = before === undefined ? 1 : lineAfter(before, "old");
  const other = before === undefined ? 1 : lineAfter(before, "new");
  if (after !== undefined && firstLine(after, "old") - own !== firstLine(after, "new") - other) return undefined;
  return oldLine - own + other;
}
