import { byte } from "#core/diff/byte-scan.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import type { ByteRange } from "#core/diff/header-fields.ts";

/** The mode is there only if it did not change. */
export interface IndexLine {
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
  readonly mode: string | undefined;
}

/** Undefined: the line is broken. Nearly every file has one, so no pattern is used. */
export function readIndexLine(bytes: Uint8Array, { from, to }: ByteRange): IndexLine | undefined {
  const dots = skipHex(bytes, from);
  const end = skipHex(bytes, dots + 2);
  if (bytes[dots] !== byte.dot || bytes[dots + 1] !== byte.dot) return undefined;
  if (!isIdLength(dots - from) || !isIdLength(end - dots - 2) || end > to) return undefined;
  const text = decodeText(bytes.subarray(from, to));
  const mode = end === to ? undefined : text.slice(end - from + 1);
  if (mode !== undefined && (bytes[end] !== byte.space || !isMode(mode))) return undefined;
  return { oldBlob: text.slice(0, dots - from), newBlob: text.slice(dots - from + 2, end - from), mode };
}

export function isMode(text: string): boolean {
  return /^[0-7]{6}$/.test(text);
}

/** Git abbreviates to four digits at least; 64 is a whole SHA-256. */
function isIdLength(length: number): boolean {
  return length >= 4 && length <= 64;
}

function skipHex(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isHex(bytes[at] ?? 0)) at += 1;
  return at;
}

function isHex(value: number): boolean {
  return (value >= byte.zero && value <= byte.nine) || (value >= 97 && value <= 102);
}
