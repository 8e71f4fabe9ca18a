import type { FieldTree } from "#forges/field-tree.ts";

/**
 * Reads some fields of an object that a forge wrote and signed: `JSON.parse` of a delivery of 22 kB takes several times as
 * long and leaves garbage. Undefined if uncertain; else as `JSON.parse` (docs/decisions/intake-reading.md). The fields are
 * at both ends: a few kilobytes from the key `repository` on, and the beginning up to the last of the others. The key is no
 * text of people (its quote would be escaped in a string, and no letter can follow one) and no key further down (the last
 * brace of the text closes the outermost object).
 */
export function readSignedJson(bytes: Buffer, wanted: readonly FieldTree[]): object | undefined {
  // One character per byte: searching in a string is much faster, and no byte of a longer character looks like one of
  // JSON's signs.
  const text = bytes.toString("latin1");
  // From the end, a string is searched letter by letter, and bytes are not.
  const tail = bytes.lastIndexOf(tailKey);
  if (text.charCodeAt(0) !== openBrace || tail < 0) return undefined;
  const found: Found = {};
  const reading: Reading = { bytes, text, tail };
  try {
    // The comma before the key stands for the brace: fields follow either.
    if (readObject(reading, { at: tail, wanted, found, isLast: false }) !== text.length) return undefined;
    // Of a repeated field the last counts, so the tail's are not looked for again.
    const missing = wanted.filter(({ name }) => !Object.hasOwn(found, name));
    if (missing.length === 0) return found;
    return readObject(reading, { at: 0, wanted: missing, found, isLast: true }) === enough ? found : undefined;
  } catch {
    return undefined;
  }
}

const tailKey = ',"repository":{';

/** Ends early: everything wanted was seen. */
const enough = -2;

type Found = Record<string, unknown>;

interface Reading {
  readonly bytes: Buffer;
  readonly text: string;
  /** The comma from which on everything has been read before the rest. */
  readonly tail: number;
}

interface Part {
  readonly at: number;
  readonly wanted: readonly FieldTree[];
  readonly found: Found;
  readonly isLast: boolean;
}

/** Answers with the object's end, or with `enough`. */
function readObject(reading: Reading, { at: start, wanted, found, isLast: isLastPart }: Part): number {
  const { text, tail } = reading;
  if (text.charCodeAt(start + 1) === closeBrace) return start + 2;
  let missing = wanted.length;
  let at = start;
  for (;;) {
    const keyEnd = skipString(text, at + 1);
    if (keyEnd === nowhere || text.charCodeAt(keyEnd) !== colon) return nowhere;
    const field = findField(text, at + 2, keyEnd - 1, wanted);
    if (field !== undefined) missing--;
    const isLast = isLastPart && missing === 0;
    const end =
      field === undefined
        ? skipValue(text, keyEnd + 1)
        : readField(reading, field, { at: keyEnd + 1, wanted: field.fields, found, isLast });
    if (end < 0) return end;
    if (isLast) return enough;
    if (missing === 0) return skipRest(text, end);
    const next = text.charCodeAt(end);
    if (next === closeBrace) return end + 1;
    if (next !== comma) return nowhere;
    if (end === tail) return enough;
    at = end;
  }
}

function findField(text: string, start: number, end: number, wanted: readonly FieldTree[]): FieldTree | undefined {
  for (const field of wanted) {
    if (field.name.length === end - start && text.startsWith(field.name, start)) return field;
  }
  return undefined;
}

function readField(reading: Reading, { name }: FieldTree, { at, wanted, found, isLast }: Part): number {
  const { text } = reading;
  // The last of two would count; no forge writes such a thing.
  if (Object.hasOwn(found, name)) return nowhere;
  if (wanted.length > 0 && text.charCodeAt(at) === openBrace) {
    const inner: Found = {};
    found[name] = inner;
    return readObject(reading, { at, wanted, found: inner, isLast });
  }
  const end = skipValue(text, at);
  if (end !== nowhere) found[name] = JSON.parse(textBetween(reading, at, end));
  return end;
}

/** Most values are ASCII, and then the text is at hand. */
function textBetween({ bytes, text }: Reading, start: number, end: number): string {
  const slice = text.slice(start, end);
  return isAscii(slice) ? slice : bytes.toString("utf8", start, end);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > asciiMax) return false;
  return true;
}

const asciiMax = 0x7f;

/** For what is not as it should be. */
const nowhere = -1;

/** Answers with the value's end. Takes for granted JSON without white space around values, one character per byte. */
function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === quote) return skipString(text, at);
  if (first === openBrace || first === openBracket) return skipRest(text, at + 1);
  let end = at;
  while (end < text.length && !isBetween(text.charCodeAt(end))) end++;
  return end;
}

/** To behind the closing quote. A quote behind an odd number of backslashes is part of the text. */
function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== quote) return nowhere;
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? nowhere : end + 1;
}

/** From between two fields or elements to behind the end of their parent. */
function skipRest(text: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = skipString(text, at);
      if (at === nowhere) return nowhere;
      continue;
    }
    if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
    at++;
    if (depth === 0) return at;
  }
  return nowhere;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

/** Numbers, `true`, `false` and `null` are made of others. */
function isBetween(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket;
}
