/** For what is not as it should be. */
export const nowhere = -1;

/** Answers with the value's end. Takes for granted JSON without white space around values, one character per byte. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === quote) return skipString(text, at);
  if (first === openBrace || first === openBracket) return skipRest(text, at + 1);
  let end = at;
  while (end < text.length && !isBetween(text.charCodeAt(end))) end++;
  return end;
}

/** To behind the closing quote. A quote behind an odd number of backslashes is part of the text. */
export function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== quote) return nowhere;
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? nowhere : end + 1;
}

/** From between two fields or elements to behind the end of their parent. */
export function skipRest(text: string, start: number): number {
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
