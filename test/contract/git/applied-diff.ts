import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { iterateLines } from "#core/diff/diff-lines.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { DiffRead, Mirror } from "#ports/git.ts";

export function parsed(read: DiffRead): Diff {
  if (read.kind !== "diff") throw new Error(read.kind);
  const outcome = parseDiff(read.bytes, { prefixes: { old: "a/", new: "b/" } });
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

/** What the changed paths hold after the diff was applied to the commit it starts from; null where a file is gone. */
export async function appliedDiff(mirror: Mirror, read: DiffRead): Promise<ReadonlyMap<string, string | null>> {
  const diff = parsed(read);
  const mergeBase = read.kind === "diff" ? read.mergeBase : undefined;
  const result = new Map<string, string | null>();
  for (const file of diff.files) if (file.oldPath !== undefined) result.set(file.oldPath.text, null);
  for (const file of diff.files) {
    if (file.newPath === undefined || mergeBase === undefined) continue;
    const old = file.oldPath === undefined ? "" : await contentAt(mirror, mergeBase, file.oldPath.text);
    const isBinary = file.content.kind === "binary";
    result.set(file.newPath.text, isBinary ? binaryMark + (file.newBlob ?? "") : applyLines(diff, file, old ?? ""));
  }
  return result;
}

/** A binary is not shown; in its place stands the name of its content. */
const binaryMark = "\0binary ";

/** Those of the same paths that were shown, read from a commit. */
export async function readPaths(
  mirror: Mirror,
  commit: HeadSha,
  applied: ReadonlyMap<string, string | null>,
): Promise<ReadonlyMap<string, string | null>> {
  const result = new Map(applied);
  for (const [path, content] of applied) {
    if (content?.startsWith(binaryMark) !== true) result.set(path, await contentAt(mirror, commit, path));
  }
  return result;
}

async function contentAt(mirror: Mirror, commit: HeadSha, path: string): Promise<string | null> {
  const file = await mirror.readFile({ commit, path, bytesMax: 1_000_000 });
  if (file.kind === "link") return file.target;
  if (file.kind !== "file") return null;
  return Buffer.from(file.bytes).toString();
}

function applyLines(diff: Diff, file: DiffFile, old: string): string {
  const oldLines = old.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const made: string[] = [];
  let next = 1;
  for (const line of iterateLines(diff, file)) {
    const content = `${line.text}${line.hasNewline ? "\n" : ""}`;
    if (line.newLine !== undefined) {
      // What stands between two hunks is as it was.
      while (made.length + 1 < line.newLine) made.push(oldLines[next++ - 1] ?? "");
      made.push(content);
    } else {
      while (next < line.oldLine) made.push(oldLines[next++ - 1] ?? "");
    }
    if (line.oldLine !== undefined) next = line.oldLine + 1;
  }
  return [...made, ...oldLines.slice(next - 1)].join("");
}
