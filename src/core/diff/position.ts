import type { AnchorRange } from "#core/diff/anchor.ts";
import { type HunkTable, hunksOf, type Side } from "#core/diff/hunk.ts";
import { findHunk } from "#core/diff/line-map.ts";

/** The fields of a GitHub review comment that say where it stands. `start_line` only for more than one line. */
export interface GithubPosition {
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly start_line?: number;
  readonly start_side?: "LEFT" | "RIGHT";
}

/** The fields of a Gitea review comment: one line of the file, not of the diff. */
export type GiteaPosition =
  | { readonly path: string; readonly new_position: number }
  | { readonly path: string; readonly old_position: number };

/**
 * Where GitHub is to put a comment. It refuses a whole review for one line that is not in the diff or a range over two
 * hunks, and does not say which; so a range that is not certain to be taken has no position.
 */
export function githubPosition(diff: HunkTable, range: AnchorRange): GithubPosition | undefined {
  if (!isPostable(diff, range)) return undefined;
  const side = githubSides[range.side];
  const last = { path: range.file.path, line: range.endLine, side };
  return range.startLine < range.endLine ? { ...last, start_line: range.startLine, start_side: side } : last;
}

const githubSides = { old: "LEFT", new: "RIGHT" } as const satisfies Record<Side, string>;

/** Where Gitea is to put a comment: on the last line. It takes any number without looking, so we look. */
export function giteaPosition(diff: HunkTable, range: AnchorRange): GiteaPosition | undefined {
  if (!isPostable(diff, range)) return undefined;
  const { path } = range.file;
  return range.side === "new" ? { path, new_position: range.endLine } : { path, old_position: range.endLine };
}

/** All lines shown, in order, in one hunk, of a file whose name can be said in text. */
function isPostable(diff: HunkTable, { file, side, startLine, endLine }: AnchorRange): boolean {
  if (startLine > endLine || (file.newPath ?? file.oldPath)?.bytes !== undefined) return false;
  const hunks = hunksOf(diff, file);
  const hunk = findHunk(hunks, { side, line: startLine });
  return hunk !== undefined && hunk === findHunk(hunks, { side, line: endLine });
}
