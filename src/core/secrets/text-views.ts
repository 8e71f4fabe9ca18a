import { neverInSecrets, secretPlaceholder } from "#core/secrets/secret-parts.ts";
import { toSecretSearchText } from "#core/secrets/secret-search-text.ts";

/** Without white space and invisible characters; with the offset of each character in the text. */
export interface TextView {
  /** UTF-16, as in a string: making strings of whole texts took longer than all the rest. */
  readonly units: Uint16Array;
  /** Of the unit at the same index: where it begins and ends in the text as written. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export function textViews(text: string): readonly TextView[] {
  return [
    viewOf(text, null),
    ...readings.filter(({ sign }) => text.includes(sign)).map((reading) => viewOf(text, reading)),
  ];
}

interface Reading {
  readonly sign: string;
  readonly mark: RegExp;
  readonly read: (found: RegExpExecArray) => string;
}

const readings: readonly Reading[] = [
  { sign: "%", mark: /%([0-9A-Fa-f]{2})/y, read: ([, digits = ""]) => signOfByte(Number.parseInt(digits, 16)) },
  // An odd backslash in front shifts the pairs: so once with two of them as one, and once without.
  { sign: "\\", mark: escapes("!-/:-@[-`{-~"), read: readEscape },
  { sign: "\\", mark: escapes("!-/:-@[\\]^-`{-~"), read: readEscape },
  {
    sign: "&",
    mark: /&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));?/y,
    read: ([, decimal, hex, name]) => {
      if (name !== undefined) return entities[name] ?? "";
      return decimal === undefined ? fromHex(hex ?? "") : fromPoint(Number.parseInt(decimal, 10));
    },
  },
];

/** Non-ASCII bytes get signs of their own: as Latin-1 some would show nothing, and be left out. */
export function signOfByte(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xe0_00 + byte);
}

function escapes(signs: string): RegExp {
  const digits = "u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|u\\{([0-9A-Fa-f]{1,6})\\}";
  return new RegExp(`\\\\(?:${digits}|[bfnrtv]|([${signs}]))`, "y");
}

/** A letter alone is white space, and thereby nothing. */
function readEscape([, wide, narrow, point, sign = ""]: RegExpExecArray): string {
  const digits = wide ?? narrow ?? point;
  return digits === undefined ? sign : fromHex(digits);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function fromHex(digits: string): string {
  return fromPoint(Number.parseInt(digits, 16));
}

function fromPoint(point: number): string {
  return point > 0x10_ff_ff ? "" : String.fromCodePoint(point);
}

/** What each unit reads as; nothing for those that show nothing. */
const readUnits = Uint16Array.from(
  { length: 0x1_00_00 },
  (_, unit) => toSecretSearchText(String.fromCharCode(unit)).charCodeAt(0) || 0,
);

const placeholderUnit = secretPlaceholder.charCodeAt(0);

/** Tags are written with two units, of which the first is nothing else's. */
const tagUnit = 0xdb_40;

function viewOf(text: string, reading: Reading | null): TextView {
  const units = new Uint16Array(text.length);
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  const signUnit = reading?.sign.charCodeAt(0);
  let length = 0;
  const take = (unit: number, start: number, end: number): void => {
    const read = readUnits[unit] ?? 0;
    if (read === 0) return;
    units[length] = read;
    from[length] = start;
    to[length] = end;
    length++;
  };
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === placeholderUnit && text.startsWith(secretPlaceholder, at)) {
      // The placeholder is no secret, nor part of one: else the same text could be masked for ever.
      take(neverInSecrets.charCodeAt(0), at, at + secretPlaceholder.length);
      at += secretPlaceholder.length;
      continue;
    }
    const found = reading !== null && unit === signUnit ? matchAt(reading.mark, text, at) : null;
    if (found === null || reading === null) {
      if (unit === tagUnit) at++;
      else take(unit, at, at + 1);
      at++;
      continue;
    }
    const end = at + found[0].length;
    const meant = reading.read(found);
    for (let index = 0; index < meant.length; index++) take(meant.charCodeAt(index), at, end);
    at = end;
  }
  return { units: units.subarray(0, length), from, to };
}

function matchAt(mark: RegExp, text: string, at: number): RegExpExecArray | null {
  mark.lastIndex = at;
  return mark.exec(text);
}
