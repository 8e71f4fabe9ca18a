import { byte, findLineEnd, spells } from "#core/diff/byte-scan.ts";
import type { BinaryBlock, BinaryPayload } from "#core/diff/diff-file.ts";
import { type DiffProblem, malformedDiff } from "#core/diff/diff-problem.ts";
import type { DiffScan } from "#core/diff/diff-scan.ts";
import { readDigits } from "#core/diff/hunk-header.ts";

export const binaryPatchLine = "GIT binary patch\n";

type ReadPayload = DiffProblem | { readonly kind: "payload"; readonly payload: BinaryPayload };

/** The way forward, and mostly the way back too. Lines are measured, not decoded: nothing looks into binaries. */
export function readBinaryPatch(scan: DiffScan): ReadPayload {
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
