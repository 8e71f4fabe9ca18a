import type { Diff } from "#core/diff/diff.ts";
import { indexLines } from "#core/diff/line-index.ts";
import { newLineOf } from "#core/diff/line-map.ts";

export interface FollowedLines {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

export function followLines(diff: Diff, { path, first, last }: FollowedLines): FollowedLines | undefined {
  const file = diff.files.find(({ kind, oldPath }) => oldPath?.text === path && kind !== "copied");
  if (file === undefined) return { path, first, last };
  if (file.newPath === undefined) return undefined;
  const lines = indexLines(diff, file);
  const start = newLineOf(lines, first);
  if (start === undefined) return undefined;
  for (let line = first + 1; line <= last; line++) {
    if (newLineOf(lines, line) !== start + line - first) return undefined;
  }
  return { path: file.newPath.text, first: start, last: start + last - first };
}
