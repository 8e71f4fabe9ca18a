import { byte, decodeText, findLineEnd, spells } from "#core/diff/byte-scan.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import {
  type DiffLimits,
  type DiffProblem,
  defaultDiffLimits,
  malformedDiff,
  overLimit,
  refusedDiff,
} from "#core/diff/diff-problem.ts";
import { type DiffScan, startScan } from "#core/diff/diff-scan.ts";
import { resolvePlainNames } from "#core/diff/file-names.ts";
import { type ReadFile, readFileBody, readGitFile, skipBinaryNotice } from "#core/diff/git-file.ts";
import { gitHeaderStart } from "#core/diff/git-header.ts";
import { type ByteRange, readHeaderFields } from "#core/diff/header-fields.ts";
import { hunkRowLength } from "#core/diff/hunk.ts";
import type { NamePrefixes } from "#core/diff/name-prefix.ts";
import { isHunkStart } from "#core/diff/read-hunks.ts";
import { readWrittenName } from "#core/diff/written-name.ts";

const tab = String.fromCharCode(byte.tab);
const epochShape = /^(1970-01-01|1969-12-31) (\d\d):(\d\d):00(?:\.0+)? ([-+])(\d\d):?(\d\d)$/;

/** Parsing makes no string per line. The bytes are borrowed and must not change. */
export interface Diff {
  readonly bytes: Uint8Array;
  readonly files: readonly DiffFile[];
  /** What git shows of these is not a finished state. */
  readonly unmergedPaths: readonly string[];
  readonly hunkRows: Int32Array;
}

export type DiffOutcome = { readonly kind: "diff"; readonly diff: Diff } | DiffProblem;

export interface DiffOptions {
  readonly limits?: Partial<DiffLimits>;
  /** Without it the usual prefixes, and none, are recognised. */
  readonly prefixes?: NamePrefixes;
}

/**
 * Never throws. For untrusted code use `git diff`: `git format-patch` does not indent the commit message, so a message
 * can hold a diff of its own.
 */
export function parseDiff(input: Uint8Array, options: DiffOptions = {}): DiffOutcome {
  // Node's Buffer overrides methods of Uint8Array, and slows everything down.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  const limits = { ...defaultDiffLimits, ...options.limits };
  if (bytes.length > limits.diffBytesMax) return overLimit("diffBytesMax", limits.diffBytesMax, limits.diffBytesMax);
  const scan = startScan(bytes, limits);
  const found: Found = { files: [], unmergedPaths: [], inMessage: false, hunksEnd: -1, hasMessage: false };
  while (scan.at < bytes.length) {
    const trouble = readNext(scan, found, options.prefixes);
    if (trouble !== undefined) return trouble;
  }
  if (found.files.length + found.unmergedPaths.length === 0 && !found.hasMessage && !isBlank(bytes)) {
    return malformedDiff("no_file_header", 0);
  }
  const { files, unmergedPaths } = found;
  return {
    kind: "diff",
    diff: { bytes, files, unmergedPaths, hunkRows: scan.hunkRows.slice(0, scan.hunkCount * hunkRowLength) },
  };
}

interface Found {
  readonly files: DiffFile[];
  readonly unmergedPaths: string[];
  inMessage: boolean;
  hasMessage: boolean;
  hunksEnd: number;
}

function readNext(scan: DiffScan, found: Found, prefixes: NamePrefixes | undefined): DiffProblem | undefined {
  const read = readFileHere(scan, prefixes);
  if (read === undefined) return passLine(scan, found);
  if (read.kind !== "file") return read;
  if (found.files.length >= scan.limits.diffFilesMax) {
    return overLimit("diffFilesMax", scan.limits.diffFilesMax, read.file.start);
  }
  found.files.push(read.file);
  found.inMessage = false;
  found.hunksEnd = read.file.hunkCount > 0 ? scan.at : -1;
  return undefined;
}

function readFileHere(scan: DiffScan, prefixes: NamePrefixes | undefined): ReadFile | undefined {
  if (spells(scan.bytes, scan.at, gitHeaderStart)) return readGitFile(scan, prefixes);
  return spells(scan.bytes, scan.at, "--- ") ? readPlainFile(scan, prefixes) : undefined;
}

/** Fails where skipping the line would miss something. */
function passLine(scan: DiffScan, found: Found): DiffProblem | undefined {
  const { bytes, at } = scan;
  const end = findLineEnd(bytes, at);
  const trouble = missedChange(bytes, { from: at, to: end }, found);
  if (trouble !== undefined) return trouble;
  if (spells(bytes, at, unmergedStart)) {
    found.unmergedPaths.push(decodeText(bytes.subarray(at + unmergedStart.length, end)));
  } else if ((spells(bytes, at, "commit ") || spells(bytes, at, "From ")) && namesCommit(bytes, at)) {
    found.inMessage = true;
    found.hasMessage = true;
  }
  scan.at = end + 1;
  return undefined;
}

const unmergedStart = "* Unmerged path ";

function namesCommit(bytes: Uint8Array, at: number): boolean {
  return /^(?:commit|From) [0-9a-f]{40,64}\b/.test(startOfLine(bytes, { from: at, to: at + 80 }));
}

function missedChange(bytes: Uint8Array, { from, to }: ByteRange, found: Found): DiffProblem | undefined {
  if (combinedStarts.some((start) => spells(bytes, from, start))) return refusedDiff("combined_diff", from);
  if (spells(bytes, from, "Submodule ") && summaryShape.test(startOfLine(bytes, { from, to }))) {
    return refusedDiff("submodule_summary", from);
  }
  if (from === found.hunksEnd) {
    if (to === bytes.length) return malformedDiff("truncated", from);
    if (continuesHunk(bytes, { from, to })) return malformedDiff("hunk_longer_than_header", from);
  }
  // A commit message may quote the rest.
  if (found.inMessage) return undefined;
  if (spells(bytes, from, gitHeaderStart)) {
    return malformedDiff(to + 1 >= bytes.length ? "truncated" : "header_without_change", from);
  }
  if (spells(bytes, from, "@@@ -")) return refusedDiff("combined_diff", from);
  if (spells(bytes, from, "@@ -") && hunkShape.test(startOfLine(bytes, { from, to }))) {
    return malformedDiff("hunk_without_file", from);
  }
  return skipBinaryNotice(bytes, from) === undefined ? undefined : malformedDiff("binary_without_header", from);
}

const combinedStarts = ["diff --cc ", "diff --combined "];
const hunkShape = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** With `--submodule=log` or `=diff` git writes no `diff --git` line for a submodule. */
const summaryShape = /^Submodule .+ (?:[0-9a-f]{4,64}\.{2,3}[0-9a-f]{4,64}|contains (?:untracked|modified) content)/;

function startOfLine(bytes: Uint8Array, { from, to }: ByteRange): string {
  return decodeText(bytes.subarray(from, Math.min(to, from + 8192)));
}

/** `-- ` alone is the signature that ends a mailed patch. */
function continuesHunk(bytes: Uint8Array, { from, to }: ByteRange): boolean {
  const marker = bytes[from];
  const isSignature = to - from === 3 && spells(bytes, from, "-- ");
  return hunkMarkers.has(marker) && !isSignature;
}

const hunkMarkers: ReadonlySet<number | undefined> = new Set([byte.plus, byte.minus, byte.space, byte.backslash]);

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((value) => value === byte.space || (value >= byte.tab && value <= byte.carriageReturn));
}

/** Undefined: the line is no `---`, and nothing was consumed. */
function readPlainFile(scan: DiffScan, prefixes: NamePrefixes | undefined): ReadFile | undefined {
  const { bytes, at: start } = scan;
  const read = readHeaderFields(bytes, scan.view, start);
  if (read.kind !== "fields" || !isHunkStart(bytes, read.end)) return undefined;
  const { "---": minusLine, "+++": plusLine } = read.fields;
  if (minusLine === undefined || plusLine === undefined) return undefined;
  const minus = readWrittenName(bytes, minusLine);
  const plus = readWrittenName(bytes, plusLine);
  if (minus === undefined || plus === undefined) return malformedDiff("bad_name", start);
  const hunk = decodeText(bytes.subarray(read.end, findLineEnd(bytes, read.end)));
  const isAdded = minus.isDevNull || (hunk.startsWith("@@ -0,0 ") && isEpoch(bytes, minusLine));
  const isDeleted = plus.isDevNull || (/^@@ \S+ \+0,0 /.test(hunk) && isEpoch(bytes, plusLine));
  if (isAdded && isDeleted) return malformedDiff("contradictory_header", start);
  const resolved = resolvePlainNames({ minus, plus }, prefixes);
  if (resolved.kind !== "names") return malformedDiff(resolved.why, start);
  scan.at = read.end;
  const change = isAdded ? "added" : isDeleted ? "deleted" : "unstated";
  const { names } = resolved;
  return readFileBody(
    scan,
    { kind: "header", change, names, facts: noFacts, hasNameLines: true, end: read.end },
    start,
  );
}

const noFacts = {
  oldMode: undefined,
  newMode: undefined,
  similarity: undefined,
  dissimilarity: undefined,
  oldBlob: undefined,
  newBlob: undefined,
};

/** Where GNU diff has no file on one side (`-N`) it gives the other's name and the beginning of time. */
function isEpoch(bytes: Uint8Array, line: ByteRange): boolean {
  const text = decodeText(bytes.subarray(line.from, line.to));
  const stamp = epochShape.exec(text.slice(text.indexOf(tab) + 1));
  if (stamp === null) return false;
  const [, day, hours, minutes, sign, zoneHours, zoneMinutes] = stamp;
  const local = Number(hours) * 60 + Number(minutes) - (day === "1969-12-31" ? 24 * 60 : 0);
  const zone = Number(zoneHours) * 60 + Number(zoneMinutes);
  return local === (sign === "-" ? -zone : zone);
}
