import { diffLines, type LineChange, linesOf } from "#git/line-diff.ts";

/**
 * What both sides made of a text; undefined where they disagree. As with git, changes that touch each other are a
 * disagreement, unless both sides ended up with the same lines.
 */
export function mergeLines({
  origin,
  ours,
  theirs,
}: Readonly<Record<"origin" | "ours" | "theirs", string>>): string | undefined {
  const lines = linesOf(origin);
  const sides = [sideOf(lines, ours), sideOf(lines, theirs)] as const;
  const merged: string[] = [];
  let at = 0;
  for (const stretch of joinTouching([...sides[0].changes, ...sides[1].changes])) {
    const [first, second] = sides.map((side) => (hasChange(side, stretch) ? contentOf(side, stretch) : undefined));
    if (first !== undefined && second !== undefined && first !== second) return undefined;
    merged.push(...lines.slice(at, stretch.start), first ?? second ?? "");
    at = stretch.end;
  }
  return [...merged, ...lines.slice(at)].join("");
}

interface Side {
  readonly lines: readonly string[];
  readonly changes: readonly LineChange[];
}

/** Lines of the origin; the end is exclusive, and the same as the start where something was put in between. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

function sideOf(origin: readonly string[], text: string): Side {
  const lines = linesOf(text);
  return { lines, changes: diffLines(origin, lines) };
}

function joinTouching(changes: readonly LineChange[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const { oldStart: start, oldEnd: end } of changes.toSorted((left, right) => left.oldStart - right.oldStart)) {
    const last = joined.at(-1);
    if (last === undefined || start > last.end) joined.push({ start, end });
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return joined;
}

function hasChange({ changes }: Side, { start, end }: Stretch): boolean {
  return changes.some(({ oldStart, oldEnd }) => oldStart >= start && oldEnd <= end);
}

/** What a side has in the place of a stretch. */
function contentOf({ lines, changes }: Side, { start, end }: Stretch): string {
  return lines.slice(start + shiftAt(changes, start - 1), end + shiftAt(changes, end)).join("");
}

/** How much longer a side has become by the changes that end at or before a line. */
function shiftAt(changes: readonly LineChange[], line: number): number {
  let shift = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    if (oldEnd <= line) shift += newEnd - newStart - (oldEnd - oldStart);
  }
  return shift;
}
