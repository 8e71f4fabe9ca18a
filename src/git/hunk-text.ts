import { diffLines, type LineChange, linesOf } from "#git/line-diff.ts";

const contextLines = 3;

/** The hunks of a text that changed, with their headers; empty where nothing did. */
export function hunkText(older: string, newer: string): string {
  const [oldLines, newLines] = [linesOf(older), linesOf(newer)];
  return groupChanges(diffLines(oldLines, newLines))
    .map((group) => hunkOf(group, oldLines, newLines))
    .join("");
}

/** Changes whose context would touch share a hunk. */
function groupChanges(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.oldStart - last.oldEnd <= 2 * contextLines) {
      group.push(change);
    } else groups.push([change]);
  }
  return groups;
}

function hunkOf(group: readonly LineChange[], oldLines: readonly string[], newLines: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const before = Math.min(contextLines, first.oldStart);
  const after = Math.min(contextLines, oldLines.length - last.oldEnd);
  const [oldFrom, newFrom] = [first.oldStart - before, first.newStart - before];
  const body: string[] = [];
  let at = oldFrom;
  for (const change of group) {
    body.push(...marked(" ", oldLines.slice(at, change.oldStart)));
    body.push(...marked("-", oldLines.slice(change.oldStart, change.oldEnd)));
    body.push(...marked("+", newLines.slice(change.newStart, change.newEnd)));
    at = change.oldEnd;
  }
  body.push(...marked(" ", oldLines.slice(at, at + after)));
  const oldRange = rangeOf(oldFrom, last.oldEnd + after);
  return `@@ -${oldRange} +${rangeOf(newFrom, last.newEnd + after)} @@\n${body.join("")}`;
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${mark}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`);
}

/** An empty range is named by the line before it. */
function rangeOf(from: number, end: number): string {
  const count = end - from;
  const start = count === 0 ? from : from + 1;
  return count === 1 ? String(start) : `${start},${count}`;
}
