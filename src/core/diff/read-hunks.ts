import { byte, scanLineEnd } from "#core/diff/byte-scan.ts";
import { type DiffProblem, malformedDiff, overLimit } from "#core/diff/diff-problem.ts";
import { type DiffScan, reserveHunk } from "#core/diff/diff-scan.ts";
import type { HeaderChange } from "#core/diff/git-header.ts";
import { hunkColumn, hunkRowLength } from "#core/diff/hunk.ts";
import { readHunkHeader } from "#core/diff/hunk-header.ts";

export function readHunks(scan: DiffScan, change: HeaderChange): DiffProblem | undefined {
  const first = scan.hunkCount;
  while (isHunkStart(scan.bytes, scan.at)) {
    const start = scan.at;
    if (scan.hunkCount >= scan.limits.diffHunksMax) return overLimit("diffHunksMax", scan.limits.diffHunksMax, start);
    if (scan.hunkCount > first && scan.isFileEnded) return malformedDiff("lines_after_last", start);
    const row = reserveHunk(scan);
    if (!readHunkHeader(scan, row)) {
      return malformedDiff(endsInLine(scan.bytes, start) ? "truncated" : "bad_hunk_header", start);
    }
    if (contradicts(scan.hunkRows, row, change)) return malformedDiff("contradictory_header", start);
    if (scan.hunkCount > first && !followsPrevious(scan.hunkRows, row))
      return malformedDiff("hunks_out_of_order", start);
    const trouble = readHunkBody(scan, row);
    if (trouble !== undefined) return trouble;
    scan.hunkCount += 1;
  }
  return undefined;
}

export function isHunkStart(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== byte.at || bytes[at + 1] !== byte.at) return false;
  return bytes[at + 2] === byte.space && bytes[at + 3] === byte.minus;
}

function endsInLine(bytes: Uint8Array, at: number): boolean {
  return bytes.indexOf(byte.newline, at) === -1;
}

/** An added file has no old lines and a deleted one no new lines. */
function contradicts(rows: Int32Array, row: number, change: HeaderChange): boolean {
  if (change === "added") return rows[row + hunkColumn.oldCount] !== 0;
  return change === "deleted" && rows[row + hunkColumn.newCount] !== 0;
}

function followsPrevious(rows: Int32Array, row: number): boolean {
  const before = row - hunkRowLength;
  return (
    firstLineOf(rows, row + hunkColumn.oldStart) >= lineAfter(rows, before + hunkColumn.oldStart) &&
    firstLineOf(rows, row + hunkColumn.newStart) >= lineAfter(rows, before + hunkColumn.newStart)
  );
}

function firstLineOf(rows: Int32Array, range: number): number {
  return (rows[range] ?? 0) + (rows[range + 1] === 0 ? 1 : 0);
}

function lineAfter(rows: Int32Array, range: number): number {
  return firstLineOf(rows, range) + (rows[range + 1] ?? 0);
}

/** Only the header's counts end a hunk: content may look like any header. A table, since branches would mispredict. */
function readHunkBody(scan: DiffScan, row: number): DiffProblem | undefined {
  const { bytes, view, hunkRows } = scan;
  const oldCount = hunkRows[row + hunkColumn.oldCount] ?? 0;
  const newCount = hunkRows[row + hunkColumn.newCount] ?? 0;
  let oldLeft = oldCount;
  let newLeft = newCount;
  let lines = 0;
  let last = scan.at;
  let at = scan.at;
  scan.isFileEnded = false;
  // With neither count below zero, the bits of both together are zero only when both are.
  while ((oldLeft | newLeft) > 0) {
    const sides = markerSides[bytes[at] ?? 0] ?? 0;
    if (sides === 0) {
      if (!isEndMarker(bytes, at)) return malformedDiff(at === bytes.length ? "truncated" : "bad_hunk_line", at);
      if (!mayEnd(bytes[last], { oldLeft, newLeft }) || at === scan.at) return malformedDiff("lines_after_last", at);
      scan.isFileEnded = true;
      lines -= 1;
    }
    const end = scanLineEnd(view, at);
    if (end === bytes.length) return malformedDiff("truncated", at);
    oldLeft -= sides & 1;
    newLeft -= sides >> 1;
    lines += 1;
    last = at;
    at = end + 1;
  }
  if (oldLeft < 0 || newLeft < 0) return malformedDiff("hunk_longer_than_header", last);
  if (isEndMarker(bytes, at)) {
    const end = scanLineEnd(view, at);
    if (bytes[last] === byte.backslash) return malformedDiff("lines_after_last", at);
    if (end === bytes.length) return malformedDiff("truncated", at);
    scan.isFileEnded = true;
    at = end + 1;
  }
  const addedLines = lines - oldCount;
  const removedLines = lines - newCount;
  if (addedLines + removedLines === 0) return malformedDiff("hunk_without_change", scan.at);
  hunkRows[row + hunkColumn.addedLines] = addedLines;
  hunkRows[row + hunkColumn.removedLines] = removedLines;
  hunkRows[row + hunkColumn.end] = at;
  scan.at = at;
  return undefined;
}

/** 1 off the old count, 2 off the new one, 3 off both, 0 for no marker. */
const markerSides = new Uint8Array(256);
markerSides[byte.minus] = 1;
markerSides[byte.plus] = 2;
markerSides[byte.space] = 3;
// Some tools write an empty context line without its space.
markerSides[byte.newline] = 3;

/** Some tools translate `\ No newline at end of file`: only the first two bytes are certain. */
function isEndMarker(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === byte.backslash && bytes[at + 1] === byte.space;
}

/** A context line comes from the new side; when git ignores whitespace, the old side may go on after it. */
function mayEnd(
  marker: number | undefined,
  { oldLeft, newLeft }: { readonly oldLeft: number; readonly newLeft: number },
): boolean {
  if (marker === byte.minus) return oldLeft === 0;
  return marker !== byte.backslash && newLeft === 0;
}
