import { firstLine, type Hunk, lineAfter, type Side } from "#core/diff/hunk.ts";
import { type FileLines, lineMark } from "#core/diff/line-index.ts";

export interface LinePoint {
  readonly side: Side;
  readonly line: number;
}

/** Undefined: it was removed, or it cannot be told. */
export function newLineOf(lines: FileLines, oldLine: number): number | undefined {
  return otherLineOf(lines, { side: "old", line: oldLine });
}

/** Undefined: it was added, or it cannot be told. */
export function oldLineOf(lines: FileLines, newLine: number): number | undefined {
  return otherLineOf(lines, { side: "new", line: newLine });
}

export function isInDiff(lines: FileLines, point: LinePoint): boolean {
  return findHunk(lines.hunks, point) !== undefined;
}

export function areInSameHunk(lines: FileLines, points: readonly [LinePoint, LinePoint]): boolean {
  const hunk = findHunk(lines.hunks, points[0]);
  return hunk !== undefined && hunk === findHunk(lines.hunks, points[1]);
}

export function findHunk(hunks: readonly Hunk[], { side, line }: LinePoint): number | undefined {
  if (!Number.isInteger(line)) return undefined;
  const index = lastHunkFrom(hunks, { side, line });
  const hunk = hunks[index];
  return hunk !== undefined && line < lineAfter(hunk, side) ? index : undefined;
}

function otherLineOf(lines: FileLines, point: LinePoint): number | undefined {
  if (!Number.isInteger(point.line) || point.line < 1 || !hasBothSides(lines)) return undefined;
  const hunk = findHunk(lines.hunks, point);
  return hunk === undefined ? mapBetweenHunks(lines, point) : mapInHunk(lines, hunk, point);
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

function mapInHunk(lines: FileLines, hunk: number, { side, line }: LinePoint): number | undefined {
  const own = side === "old" ? lines.oldNumbers : lines.newNumbers;
  const other = side === "old" ? lines.newNumbers : lines.oldNumbers;
  // The last entry with this number is the line itself; those before it are lines of the other side that precede it.
  let low = lines.hunkStarts[hunk] ?? 0;
  let high = lines.hunkStarts[hunk + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((own[middle] ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return lines.marks[low - 1] === lineMark.context ? other[low - 1] : undefined;
}

/** `--ignore-blank-lines` and `-I` leave changes out: then a gap is longer on one side, and nothing in it certain. */
function mapBetweenHunks({ hunks }: FileLines, { side, line }: LinePoint): number | undefined {
  const otherSide = side === "old" ? "new" : "old";
  const index = lastHunkFrom(hunks, { side, line });
  const before = hunks[index];
  const after = hunks[index + 1];
  const own = before === undefined ? 1 : lineAfter(before, side);
  const other = before === undefined ? 1 : lineAfter(before, otherSide);
  if (after !== undefined && firstLine(after, side) - own !== firstLine(after, otherSide) - other) return undefined;
  return line - own + other;
}
