import { viewOf } from "#core/diff/byte-scan.ts";
import type { DiffLimits } from "#core/diff/diff-problem.ts";
import { hunkRowLength } from "#core/diff/hunk.ts";

/** Lives for one call of `parseDiff` and is all that changes in it. */
export interface DiffScan {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly limits: DiffLimits;
  at: number;
  hunkRows: Int32Array;
  hunkCount: number;
  isFileEnded: boolean;
}

export function startScan(bytes: Uint8Array, limits: DiffLimits): DiffScan {
  const hunkRows = new Int32Array(64 * hunkRowLength);
  return { bytes, view: viewOf(bytes), limits, at: 0, hunkRows, hunkCount: 0, isFileEnded: false };
}

export function reserveHunk(scan: DiffScan): number {
  const row = scan.hunkCount * hunkRowLength;
  if (row === scan.hunkRows.length) {
    const grown = new Int32Array(scan.hunkRows.length * 2);
    grown.set(scan.hunkRows);
    scan.hunkRows = grown;
  }
  return row;
}
