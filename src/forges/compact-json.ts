import { areEscapesSound, hasControlBytes } from "#forges/compact-json-bytes.ts";
import { nowhere, skipString, skipValue } from "#forges/compact-json-skip.ts";
import type { FieldTree } from "#forges/field-tree.ts";

/**
 * Reads some fields of an object without building the rest of it: two thirds of the time of `JSON.parse` for a delivery
 * of 22 kB, and no garbage, which saves as much again. It knows JSON as machines write it, without white space, and
 * answers `undefined` to whatever it is not sure of, valid or not. What it does answer is what `JSON.parse` would have
 * found in the same places: the whole text has been checked to be JSON, and no field on the way is there twice.
 */
export function readCompactJson(bytes: Buffer, wanted: readonly FieldTree[]): object | undefined {
  if (bytes[0] !== openBrace || hasControlBytes(bytes)) return undefined;
  // One character per byte. That is not the text, but JSON's own signs are ASCII and look the same in it, and no byte of
  // a longer character looks like one of them. It is used because searching in a string is many times faster.
  const text = bytes.toString("latin1");
  if (!areEscapesSound(text)) return undefined;
  const found: Found = {};
  const end = readObject({ bytes, text, hasEscapes: text.includes("\\"), at: 0, depth: 0, wanted, found });
  return end === text.length ? found : undefined;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

type Found = Record<string, unknown>;

interface ObjectReading {
  readonly bytes: Buffer;
  readonly text: string;
  /** Somewhere in the text. */
  readonly hasEscapes: boolean;
  /** Where its brace is. */
  readonly at: number;
  readonly depth: number;
  readonly wanted: readonly FieldTree[];
  readonly found: Found;
}

/** Takes the wanted fields of an object and answers with where it ends. */
function readObject(reading: ObjectReading): number {
  const { text, depth } = reading;
  let at = reading.at + 1;
  if (text.charCodeAt(at) === closeBrace) return at + 1;
  for (;;) {
    if (text.charCodeAt(at) !== quote) return nowhere;
    const keyEnd = skipString(text, at);
    if (keyEnd === nowhere || text.charCodeAt(keyEnd) !== colon) return nowhere;
    // An escape in a key may spell a wanted name in another way.
    if (reading.hasEscapes && hasBackslash(text, at, keyEnd)) return nowhere;
    const field = findField(reading, at + 1, keyEnd - 1);
    const end = field === undefined ? skipValue(text, keyEnd + 1, depth + 1) : readField(reading, field, keyEnd + 1);
    if (end === nowhere) return nowhere;
    const next = text.charCodeAt(end);
    if (next === closeBrace) return end + 1;
    if (next !== comma) return nowhere;
    at = end + 1;
  }
}

function hasBackslash(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === backslash) return true;
  return false;
}

function findField({ text, wanted }: ObjectReading, start: number, end: number): FieldTree | undefined {
  for (const field of wanted) {
    if (field.name.length === end - start && text.startsWith(field.name, start)) return field;
  }
  return undefined;
}

function readField(reading: ObjectReading, field: FieldTree, at: number): number {
  const { bytes, text, depth, found } = reading;
  // The last one of two would count, with everything in it: not worth the trouble, since no forge writes such a thing.
  if (Object.hasOwn(found, field.name)) return nowhere;
  if (field.fields.length > 0 && text.charCodeAt(at) === openBrace) {
    const inner: Found = {};
    found[field.name] = inner;
    return readObject({ ...reading, at, depth: depth + 1, wanted: field.fields, found: inner });
  }
  const end = skipValue(text, at, depth + 1);
  if (end !== nowhere) found[field.name] = JSON.parse(bytes.toString("utf8", at, end));
  return end;
}
