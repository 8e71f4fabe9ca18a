import { byte, findLineEnd, sameStretch, scanLineEnd, spells } from "#core/diff/byte-scan.ts";
import type { BinaryBlock, BinaryPayload, DiffFile, FileContent, FileKind } from "#core/diff/diff-file.ts";
import { makeDiffPath } from "#core/diff/diff-path.ts";
import { type DiffProblem, type MalformedWhy, malformedDiff } from "#core/diff/diff-problem.ts";
import type { DiffScan } from "#core/diff/diff-scan.ts";
import { type FileHeader, gitHeaderStart, type HeaderInput, readGitHeader } from "#core/diff/git-header.ts";
import { hunkColumn, hunkRowLength } from "#core/diff/hunk.ts";
import { readDigits } from "#core/diff/hunk-header.ts";
import { type IndexLine, readIndexLine } from "#core/diff/index-line.ts";
import type { NamePrefixes } from "#core/diff/name-prefix.ts";
import { isHunkStart, readHunks } from "#core/diff/read-hunks.ts";

const binaryPatchLine = "GIT binary patch\n";

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

/** A fast path for most files (a test holds it to `readGitHeader`), measured at a quarter of the whole parse. */
export function readUsualHeader({ bytes, view, from, limits, prefixes }: HeaderInput): FileHeader | undefined {
  const old = from + gitHeaderStart.length;
  const headerEnd = scanLineEnd(view, old);
  const length = (headerEnd - old - 1) / 2;
  const next = headerEnd - length;
  if (prefixes !== undefined || length < 3 || headerEnd - old > limits.diffNameBytesMax) return undefined;
  if (!Number.isInteger(length) || bytes[next - 1] !== byte.space) return undefined;
  if (!spells(bytes, old, "a/") || !spells(bytes, next, "b/")) return undefined;
  if (!sameStretch(view, { one: old + 2, other: next + 2, length: length - 2 })) return undefined;
  if (!isBare(bytes, old + 2, old + length) || !spells(bytes, headerEnd + 1, "index ")) return undefined;

  const indexEnd = scanLineEnd(view, headerEnd + 7);
  const plus = afterNameLine({ bytes, view, at: indexEnd + 1, word: "--- ", name: old, length });
  if (plus === -1) return undefined;
  const end = afterNameLine({ bytes, view, at: plus, word: "+++ ", name: next, length });
  const index = end === -1 ? undefined : readIndexLine(bytes, { from: headerEnd + 7, to: indexEnd });
  return index && makeHeader(index, bytes.subarray(old + 2, old + length), end);
}

function makeHeader({ mode, oldBlob, newBlob }: IndexLine, name: Uint8Array, end: number): FileHeader {
  return {
    kind: "header",
    change: "unstated",
    names: { old: name, new: name },
    facts: { oldMode: mode, newMode: mode, similarity: undefined, dissimilarity: undefined, oldBlob, newBlob },
    hasNameLines: true,
    end,
  };
}

function isBare(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === byte.tab || bytes[at] === byte.quote) return false;
  }
  return true;
}

interface NameLineInput {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly at: number;
  readonly word: string;
  readonly name: number;
  readonly length: number;
}

/** -1 where there is no such line. */
function afterNameLine({ bytes, view, at, word, name, length }: NameLineInput): number {
  const start = at + word.length;
  const end = start + length;
  if (end + 1 >= bytes.length || !spells(bytes, at, word)) return -1;
  if (!sameStretch(view, { one: start, other: name, length })) return -1;
  // Git ends a name that holds a space with a tab.
  const lineEnd = bytes[end] === byte.tab ? end + 1 : end;
  return bytes[lineEnd] === byte.newline ? lineEnd + 1 : -1;
}

type ReadPayload = DiffProblem | { readonly kind: "payload"; readonly payload: BinaryPayload };

/** The way forward, and mostly the way back too. Lines are measured, not decoded: nothing looks into binaries. */
function readBinaryPatch(scan: DiffScan): ReadPayload {
  scan.at += binaryPatchLine.length;
  const forward = readBlock(scan);
  if (forward === undefined) return malformedDiff("bad_binary_patch", scan.at);
  if (methodAt(scan.bytes, scan.at) === undefined) return { kind: "payload", payload: { forward, reverse: undefined } };
  const reverse = readBlock(scan);
  if (reverse === undefined) return malformedDiff("bad_binary_patch", scan.at);
  return { kind: "payload", payload: { forward, reverse } };
}

function readBlock(scan: DiffScan): BinaryBlock | undefined {
  const { bytes } = scan;
  const method = methodAt(bytes, scan.at);
  if (method === undefined) return undefined;
  const size = new Int32Array(1);
  const sizeEnd = readDigits(bytes, scan.at + method.length + 1, size, 0);
  if (bytes[sizeEnd] !== byte.newline) return undefined;
  const start = sizeEnd + 1;
  const end = findBlockEnd(bytes, start);
  if (end === undefined) return undefined;
  // The empty line after the block belongs to it.
  scan.at = end + 1;
  return { method, inflatedBytes: size[0] ?? 0, start, end };
}

function methodAt(bytes: Uint8Array, at: number): "literal" | "delta" | undefined {
  if (spells(bytes, at, "literal ")) return "literal";
  return spells(bytes, at, "delta ") ? "delta" : undefined;
}

function findBlockEnd(bytes: Uint8Array, from: number): number | undefined {
  let at = from;
  for (;;) {
    const end = findLineEnd(bytes, at);
    if (end === bytes.length) return undefined;
    if (end === at) return at === from ? undefined : at;
    if (!isPayloadLine(bytes, at, end)) return undefined;
    at = end + 1;
  }
}

/** A letter says how many bytes the line stands for; groups of five characters follow, each for up to four bytes. */
function isPayloadLine(bytes: Uint8Array, from: number, to: number): boolean {
  const groups = (to - from - 1) / 5;
  const length = payloadBytes(bytes[from] ?? 0);
  return Number.isInteger(groups) && length !== undefined && length <= groups * 4 && length > groups * 4 - 4;
}

/** `A` to `Z` stand for 1 to 26 bytes, `a` to `z` for 27 to 52. */
function payloadBytes(letter: number): number | undefined {
  if (letter >= 65 && letter <= 90) return letter - 64;
  return letter >= 97 && letter <= 122 ? letter - 70 : undefined;
}
