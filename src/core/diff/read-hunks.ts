import { byte } from "#core/diff/byte-scan.ts";
import { type DiffProblem, malformedDiff, overLimit } from "#core/diff/diff-problem.ts";
import { type DiffScan, reserveHunk } from "#core/diff/diff-scan.ts";
import type { HeaderChange } from "#core/diff/git-header.ts";
import { hunkColumn, hunkRowLength } from "#core/diff/hunk.ts";
import { readHunkBody } from "#core/diff/hunk-body.ts";
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
