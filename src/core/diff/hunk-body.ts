import { byte, scanLineEnd } from "#core/diff/byte-scan.ts";
import { type DiffProblem, malformedDiff } from "#core/diff/diff-problem.ts";
import type { DiffScan } from "#core/diff/diff-scan.ts";
import { hunkColumn } from "#core/diff/hunk.ts";

/** Only the header's counts end a hunk: content may look like any header. A table, since branches would mispredict. */
export function readHunkBody(scan: DiffScan, row: number): DiffProblem | undefined {
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
