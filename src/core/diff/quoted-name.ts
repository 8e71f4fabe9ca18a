import { byte } from "#core/diff/byte-scan.ts";

export interface ReadName {
  readonly name: Uint8Array;
  readonly end: number;
}

/** Git writes spaces in names as they are, so the caller says where an unquoted name ends. Undefined: bad quoting. */
export function readName(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): ReadName | undefined {
  return bytes[from] === byte.quote ? readQuotedName(bytes, from, to) : { name: bytes.subarray(from, to), end: to };
}

function readQuotedName(bytes: Uint8Array, from: number, to: number): ReadName | undefined {
  const name = new Uint8Array(to - from);
  let length = 0;
  let at = from + 1;
  while (at < to) {
    const value = bytes[at] ?? 0;
    if (value === byte.quote) return { name: name.subarray(0, length), end: at + 1 };
    const isEscape = value === byte.backslash;
    const written = isEscape ? readEscape(bytes, at + 1, to) : value;
    if (written === -1) return undefined;
    name[length] = written;
    length += 1;
    at += !isEscape ? 1 : isOctal(bytes[at + 1]) ? 4 : 2;
  }
  return undefined;
}

function readEscape(bytes: Uint8Array, at: number, to: number): number {
  const letter = bytes[at];
  if (at >= to || letter === undefined) return -1;
  if (!isOctal(letter)) return escapes.get(letter) ?? -1;
  const [second, third] = [bytes[at + 1], bytes[at + 2]];
  // The first digit stops at 3 because three octal digits name one byte.
  if (at + 3 > to || letter > byte.zero + 3 || !isOctal(second) || !isOctal(third)) return -1;
  return (letter - byte.zero) * 64 + (second - byte.zero) * 8 + third - byte.zero;
}

function isOctal(value: number | undefined): value is number {
  return value !== undefined && value >= byte.zero && value <= byte.zero + 7;
}

const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 }).map(([letter, value]) => [
    letter.charCodeAt(0),
    value,
  ]),
);
