import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { iterateLines } from "#core/diff/diff-lines.ts";
import type { ChangedCode, ChangedLines } from "#core/review/changed-code.ts";

export interface TwoRounds {
  readonly before: Diff;
  readonly now: Diff;
  readonly between: Diff | null;
  /** Then the numbers of the old side mean the same lines. */
  readonly isSameBase: boolean;
}

/** After a rewritten history a file counts as changed unless its part of the change is the same, as in a rebase. */
export function changedSince({ before, now, between, isSameBase }: TwoRounds): ChangedCode {
  const earlierFiles = new Map(before.files.map((file) => [file.path, file]));
  const newSides = between === null ? undefined : new Map(between.files.map((file) => [file.path, file]));
  const paths = new Map<string, ChangedLines>();
  for (const file of now.files) {
    const earlier = earlierFiles.get(file.path);
    const isSame = earlier !== undefined && readsSame({ diff: before, file: earlier }, { diff: now, file });
    const moved = newSides?.get(file.path);
    const newSide = between === null ? (isSame ? [] : whole) : moved === undefined ? [] : cameIn(between, moved);
    const oldSide = isSame
      ? []
      : isSameBase && earlier !== undefined
        ? rangesOf(without(removedLines(now, file), removedLines(before, earlier)))
        : whole;
    if (newSide.length + oldSide.length > 0) paths.set(file.path, { new: newSide, old: oldSide });
  }
  return { kind: "parts", paths };
}

export function renamesSince({ before, now, between }: TwoRounds): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  if (between !== null) {
    for (const { kind, oldPath, newPath } of between.files) {
      if (kind === "renamed" && oldPath !== undefined && newPath !== undefined) renames.set(newPath.text, oldPath.text);
    }
    return renames;
  }
  const earlier = new Map(before.files.map(({ oldPath, path }) => [oldPath?.text, path]));
  for (const { oldPath, path } of now.files) {
    const was = oldPath === undefined ? undefined : (earlier.get(oldPath.text) ?? oldPath.text);
    if (was !== undefined && was !== path) renames.set(path, was);
  }
  return renames;
}

type Ranges = ChangedLines["new"];

const whole: Ranges = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];

interface FileOf {
  readonly diff: Diff;
  readonly file: DiffFile;
}

function readsSame(one: FileOf, other: FileOf): boolean {
  const { oldBlob, newBlob, newMode } = one.file;
  if (newBlob !== undefined && newBlob === other.file.newBlob && oldBlob === other.file.oldBlob) {
    return newMode === other.file.newMode;
  }
  if (one.file.content.kind !== "text" || other.file.content.kind !== "text") return false;
  if (one.file.addedLines !== other.file.addedLines || one.file.removedLines !== other.file.removedLines) return false;
  const [left, right] = [changesOf(one), changesOf(other)];
  return left.length === right.length && left.every((line, index) => line === right[index]);
}

function changesOf({ diff, file }: FileOf): readonly string[] {
  return Array.from(iterateLines(diff, file))
    .filter(({ kind }) => kind !== "context")
    .map(({ kind, text }) => `${kind} ${text}`);
}

/** With the neighbours of removed lines: without its guard, a line has changed its meaning. */
function cameIn(between: Diff, file: DiffFile): Ranges {
  if (file.content.kind !== "text") return whole;
  const lines: number[] = [];
  let last = 0;
  let isAfterRemoved = false;
  for (const line of iterateLines(between, file)) {
    if (line.kind === "removed") {
      if (!isAfterRemoved && last > 0) lines.push(last);
      isAfterRemoved = true;
      continue;
    }
    if (line.kind === "added" || isAfterRemoved) lines.push(line.newLine);
    // The lines that stand instead of others come first; the neighbour is the next one that stayed.
    if (line.kind === "context") isAfterRemoved = false;
    last = line.newLine;
  }
  return rangesOf(lines);
}

function removedLines(diff: Diff, file: DiffFile): readonly number[] {
  return Array.from(iterateLines(diff, file)).flatMap((line) => (line.kind === "removed" ? [line.oldLine] : []));
}

function without(lines: readonly number[], others: readonly number[]): readonly number[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}

function rangesOf(lines: readonly number[]): Ranges {
  const ranges: { first: number; last: number }[] = [];
  for (const line of lines) {
    const open = ranges.at(-1);
    if (open !== undefined && line <= open.last + 1) open.last = Math.max(open.last, line);
    else ranges.push({ first: line, last: line });
  }
  return ranges;
}
