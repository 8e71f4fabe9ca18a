/** Where something ends that is not as it should be. */
export const nowhere = -1;

/**
 * Walks over a value of JSON without white space, one character per byte, and answers with where it ends. That nothing
 * in its strings is amiss, escapes and control characters, has been seen to before.
 */
export function skipValue(text: string, at: number, depth: number): number {
  if (depth > depthMax) return nowhere;
  const first = text.charCodeAt(at);
  switch (first) {
    case quote:
      return skipString(text, at);
    case openBrace:
      return skipObject(text, at, depth);
    case openBracket:
      return skipArray(text, at, depth);
    case letterT:
      return text.startsWith("true", at) ? at + 4 : nowhere;
    case letterF:
      return text.startsWith("false", at) ? at + 5 : nowhere;
    case letterN:
      return text.startsWith("null", at) ? at + 4 : nowhere;
    default:
      return skipNumber(text, at);
  }
}

/** From one quote to behind the other. A quote behind an odd number of backslashes is part of the text. */
export function skipString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? nowhere : end + 1;
}

/** Far more than any delivery has, and few enough for the stack. */
const depthMax = 64;

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const digitZero = 0x30;
const digitNine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterF = 0x66;
const letterN = 0x6e;
const letterT = 0x74;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

function skipObject(text: string, start: number, depth: number): number {
  let at = start + 1;
  if (text.charCodeAt(at) === closeBrace) return at + 1;
  for (;;) {
    if (text.charCodeAt(at) !== quote) return nowhere;
    const keyEnd = skipString(text, at);
    if (keyEnd === nowhere || text.charCodeAt(keyEnd) !== colon) return nowhere;
    // Most values are strings, which are worth the short cut.
    const isString = text.charCodeAt(keyEnd + 1) === quote;
    const end = isString ? skipString(text, keyEnd + 1) : skipValue(text, keyEnd + 1, depth + 1);
    if (end === nowhere) return nowhere;
    const next = text.charCodeAt(end);
    if (next === closeBrace) return end + 1;
    if (next !== comma) return nowhere;
    at = end + 1;
  }
}

function skipArray(text: string, start: number, depth: number): number {
  let at = start + 1;
  if (text.charCodeAt(at) === closeBracket) return at + 1;
  for (;;) {
    const end = skipValue(text, at, depth + 1);
    if (end === nowhere) return nowhere;
    const next = text.charCodeAt(end);
    if (next === closeBracket) return end + 1;
    if (next !== comma) return nowhere;
    at = end + 1;
  }
}

/** Whole numbers only. Fractions and powers of ten hardly occur, and whatever is not known is left to `JSON.parse`. */
function skipNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  let end = first;
  while (isDigit(text.charCodeAt(end))) end++;
  if (end === first) return nowhere;
  // Zero stands alone.
  return text.charCodeAt(first) === digitZero && end > first + 1 ? nowhere : end;
}

function isDigit(code: number): boolean {
  return code >= digitZero && code <= digitNine;
}
