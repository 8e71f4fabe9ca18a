import { binaryPatchLine, readBinaryPatch } from "#core/diff/binary-patch.ts";
import { findLineEnd, spells } from "#core/diff/byte-scan.ts";
import type { DiffFile, FileContent, FileKind } from "#core/diff/diff-file.ts";
import { makeDiffPath } from "#core/diff/diff-path.ts";
import { type DiffProblem, type MalformedWhy, malformedDiff } from "#core/diff/diff-problem.ts";
import type { DiffScan } from "#core/diff/diff-scan.ts";
import { type FileHeader, readGitHeader } from "#core/diff/git-header.ts";
import { hunkColumn, hunkRowLength } from "#core/diff/hunk.ts";
import type { NamePrefixes } from "#core/diff/name-prefix.ts";
import { isHunkStart, readHunks } from "#core/diff/read-hunks.ts";
import { readUsualHeader } from "#core/diff/usual-header.ts";

export type ReadFile = DiffProblem | { readonly kind: "file"; readonly file: DiffFile };

export function readGitFile(scan: DiffScan, prefixes: NamePrefixes | undefined): ReadFile | undefined {
  const { bytes, view, limits, at: start } = scan;
  const input = { bytes, view, from: start, limits, prefixes };
  const header = readUsualHeader(input) ?? readGitHeader(input);
  if (header?.kind !== "header") return header;
  scan.at = header.end;
  return readFileBody(scan, header, start);
}

export function readFileBody(scan: DiffScan, header: FileHeader, start: number): ReadFile {
  const hunkFirst = scan.hunkCount;
  const read = readContent(scan, header);
  if (read.kind !== "content") return read;
  const kind = fileKind(header, read.content);
  if (kind === undefined) return malformedDiff(endedOr(scan, "header_without_change"), scan.at);
  const { names } = header;
  const oldPath = kind === "added" ? undefined : makeDiffPath(names.old);
  const samePath = names.new === names.old ? oldPath : undefined;
  const newPath = kind === "deleted" ? undefined : (samePath ?? makeDiffPath(names.new));
  const { oldMode, newMode, similarity, dissimilarity, oldBlob, newBlob } = header.facts;
  // Written out in full: spreading objects into it was measured at a tenth of the whole parse.
  const file: DiffFile = {
    kind,
    path: (newPath ?? oldPath)?.text ?? "",
    oldPath,
    newPath,
    oldMode,
    newMode,
    similarity,
    dissimilarity,
    oldBlob,
    newBlob,
    content: read.content,
    hunkFirst,
    hunkCount: scan.hunkCount - hunkFirst,
    addedLines: sumColumn(scan, hunkFirst, hunkColumn.addedLines),
    removedLines: sumColumn(scan, hunkFirst, hunkColumn.removedLines),
    start,
    end: scan.at,
  };
  return { kind: "file", file };
}

type ReadContent = DiffProblem | { readonly kind: "content"; readonly content: FileContent };

function readContent(scan: DiffScan, header: FileHeader): ReadContent {
  if (header.hasNameLines) {
    if (!isHunkStart(scan.bytes, scan.at)) return malformedDiff(endedOr(scan, "bad_hunk_header"), scan.at);
    return readHunks(scan, header.change) ?? { kind: "content", content: textContent };
  }
  if (spells(scan.bytes, scan.at, binaryPatchLine)) {
    const read = readBinaryPatch(scan);
    return read.kind === "payload" ? { kind: "content", content: { kind: "binary", payload: read.payload } } : read;
  }
  const afterNotice = skipBinaryNotice(scan.bytes, scan.at);
  if (afterNotice !== undefined) {
    scan.at = afterNotice;
    return { kind: "content", content: { kind: "binary", payload: undefined } };
  }
  return { kind: "content", content: { kind: isOmitted(header) ? "omitted" : "none" } };
}

const textContent: FileContent = { kind: "text" };

function endedOr(scan: DiffScan, why: MalformedWhy): MalformedWhy {
  return scan.at === scan.bytes.length ? "truncated" : why;
}

export function skipBinaryNotice(bytes: Uint8Array, at: number): number | undefined {
  if (!spells(bytes, at, "Binary files ") && !spells(bytes, at, "Files ")) return undefined;
  const end = findLineEnd(bytes, at);
  return end < bytes.length && spells(bytes, end - " differ".length, " differ") ? end + 1 : undefined;
}

/** The blob ids say that content changed, though the diff shows none of it. */
function isOmitted({ change, facts: { oldBlob, newBlob } }: FileHeader): boolean {
  if (oldBlob === undefined || newBlob === undefined) return false;
  if (change === "added") return !isEmptyBlob(newBlob);
  if (change === "deleted") return !isEmptyBlob(oldBlob);
  return oldBlob !== newBlob;
}

function isEmptyBlob(blob: string): boolean {
  return emptyBlobs.some((empty) => empty.startsWith(blob));
}

/** The ids of no bytes at all, with SHA-1 and with SHA-256. */
const emptyBlobs = [
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

function fileKind({ change }: FileHeader, content: FileContent): FileKind | undefined {
  if (change === "mode_changed") return content.kind === "none" ? "mode_changed" : "modified";
  if (change !== "unstated") return change;
  return content.kind === "text" || content.kind === "binary" ? "modified" : undefined;
}

function sumColumn(scan: DiffScan, hunkFirst: number, column: number): number {
  let sum = 0;
  for (let hunk = hunkFirst; hunk < scan.hunkCount; hunk += 1) sum += scan.hunkRows[hunk * hunkRowLength + column] ?? 0;
  return sum;
}
