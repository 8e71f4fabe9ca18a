import { byte, scanLineEnd } from "#core/diff/byte-scan.ts";
import type { DiffScan } from "#core/diff/diff-scan.ts";
import { hunkColumn } from "#core/diff/hunk.ts";

/** Into a row of the table and no object: most diffs have many small hunks. A count left out is 1. */
export function readHunkHeader(scan: DiffScan, row: number): boolean {
  const { bytes, hunkRows: rows, at: start } = scan;
  const between = readRange(bytes, start + 4, rows, row + hunkColumn.oldStart);
  if (bytes[between] !== byte.space || bytes[between + 1] !== byte.plus) return false;
  const closing = readRange(bytes, between + 2, rows, row + hunkColumn.newStart);
  if (bytes[closing] !== byte.space || bytes[closing + 1] !== byte.at || bytes[closing + 2] !== byte.at) return false;
  const closed = closing + 3;
  const end = scanLineEnd(scan.view, closed);
  if (end === bytes.length) return false;
  rows[row + hunkColumn.start] = start;
  rows[row + hunkColumn.headingStart] = bytes[closed] === byte.space ? closed + 1 : closed;
  rows[row + hunkColumn.bodyStart] = end + 1;
  scan.at = end + 1;
  return true;
}

/** Into two neighbouring cells. Answers the offset after them, -1 where they are wrong. */
function readRange(bytes: Uint8Array, from: number, rows: Int32Array, range: number): number {
  rows[range + 1] = 1;
  let at = readDigits(bytes, from, rows, range);
  if (bytes[at] === byte.comma) at = readDigits(bytes, at + 1, rows, range + 1);
  const start = rows[range] ?? 0;
  const count = rows[range + 1] ?? 0;
  // Lines count from 1, and line 0 exists only as the place before the first one.
  return (start > 0 || count === 0) && start + count < numberMax ? at : -1;
}

/** The table keeps 32-bit numbers. */
const numberMax = 2 ** 31 - 1;

/** Answers the offset after the digits, -1 where there are none or too many. */
export function readDigits(bytes: Uint8Array, from: number, rows: Int32Array, cell: number): number {
  let value = 0;
  let at = from;
  for (;;) {
    const digit = (bytes[at] ?? 0) - byte.zero;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    if (value > numberMax) return -1;
    at += 1;
  }
  rows[cell] = value;
  return at === from ? -1 : at;
}
