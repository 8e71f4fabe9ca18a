import { firstLine, type Hunk, lineAfter, type Side } from "#core/diff/hunk.ts";
import { type FileLines, lineMark } from "#core/diff/line-index.ts";

/** A line of one side of a file. */
export interface LinePoint {
  readonly side: Side;
  readonly line: number;
}

/** Where a line of the old file is in the new one. Undefined: it was removed, or there is no telling. */
export function newLineOf(lines: FileLines, oldLine: number): number | undefined {
  return otherLineOf(lines, { side: "old", line: oldLine });
}

/** Where a line of the new file was in the old one. Undefined: it was added, or there is no telling. */
export function oldLineOf(lines: FileLines, newLine: number): number | undefined {
  return otherLineOf(lines, { side: "new", line: newLine });
}

/** Whether a forge would show this line in the diff, so that a comment may stand on it. */
export function isInDiff(lines: FileLines, point: LinePoint): boolean {
  return findHunk(lines.hunks, point) !== undefined;
}

/** Whether both lines are shown, and in one hunk: only then may one comment reach from one to the other. */
export function areInSameHunk(lines: FileLines, points: readonly [LinePoint, LinePoint]): boolean {
  const hunk = findHunk(lines.hunks, points[0]);
  return hunk !== undefined && hunk === findHunk(lines.hunks, points[1]);
}

/** The index of the hunk that shows a line. */
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

/** An added or deleted file has one side, and of a binary or omitted change nobody knows. */
function hasBothSides({ file }: FileLines): boolean {
  const { kind, content } = file;
  return kind !== "added" && kind !== "deleted" && (content.kind === "text" || content.kind === "none");
}

/** The last hunk that begins at or before a line, -1 where there is none. */
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

/**
 * Between two hunks both sides run in parallel, and so they do before the first and after the last. Git can be told to
 * leave some changes out (`--ignore-blank-lines`, `-I`): then a gap is longer on one side, and nothing in it is certain.
 */
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
