import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { type FileLines, indexLines, lineMark } from "#core/diff/line-index.ts";
import type { Coverage } from "#core/model/records.ts";
import { type ChangedFile, makeChangedFile } from "#reviewers/rules/changed-file.ts";
import { natureOf } from "#reviewers/rules/file-nature.ts";
import { languageOf } from "#reviewers/rules/language.ts";
import { reviewLimits } from "#reviewers/rules/review-limits.ts";
import type { ReadText } from "#reviewers/rules/rule-context.ts";

export type Unread = Coverage["unread"][number];

export interface OpenedFile {
  /** Unread files have no lines: rules about the file as a whole look at it all the same. */
  readonly file: ChangedFile;
  readonly unread: Exclude<Unread["why"], "excluded"> | null;
}

export async function openFile(diff: Diff, file: DiffFile, readText: ReadText): Promise<OpenedFile> {
  const obstacle = obstacleOf(file);
  if (obstacle !== null) return { file: withoutLines(diff, file), unread: obstacle };
  const shown = indexLines(diff, file);
  if (hasOverlongLine(shown)) return { file: withoutLines(diff, file), unread: "size" };
  const text = needsText(file) ? await readText("new", file.path) : null;
  return { file: makeChangedFile(shown, text), unread: null };
}

/** Of a file that goes away there is nothing to read. */
function obstacleOf({ kind, content, start, end }: DiffFile): OpenedFile["unread"] {
  if (kind === "deleted") return null;
  if (content.kind === "binary") return "binary";
  if (content.kind === "omitted") return "unreadable";
  return end - start > reviewLimits.fileBytesMax ? "size" : null;
}

/** Bytes, never fewer than characters: known without decoding. */
function hasOverlongLine({ length, marks, starts, ends }: FileLines): boolean {
  for (let index = 0; index < length; index += 1) {
    const bytes = (ends[index] ?? 0) - (starts[index] ?? 0);
    if (marks[index] === lineMark.added && bytes > reviewLimits.lineBytesMax) return true;
  }
  return false;
}

/** The lines around a change matter only for code, and a new file is in the diff as a whole. */
function needsText({ kind, path, addedLines }: DiffFile): boolean {
  if (kind === "added" || kind === "deleted" || addedLines === 0) return false;
  return natureOf(path, []) === "written" && languageOf(path) !== "prose";
}

function withoutLines(diff: Diff, file: DiffFile): ChangedFile {
  return makeChangedFile(indexLines({ bytes: diff.bytes, hunkRows: diff.hunkRows }, { ...file, hunkCount: 0 }), null);
}
