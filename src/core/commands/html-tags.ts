import { isNameAt } from "#core/commands/inline-marks.ts";

/** A tag in HTML, from its bracket to behind the closing one. */
export interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly end: number;
  /** Whether it is more than its name: only attributes can hide words. */
  readonly hasAttributes: boolean;
}

/** A tag as CommonMark wants it within text: anything odd in it, and it is shown as text. */
export function readStrictTag(body: string, start: number, limit: number): Tag | null {
  const isClosing = body[start + 1] === "/";
  const nameStart = start + (isClosing ? 2 : 1);
  const nameEnd = endOfName(body, nameStart, limit);
  if (nameEnd === nameStart) return null;
  let at = nameEnd;
  for (;;) {
    const next = skipSpaces(body, at, limit);
    const behind = isClosing || next === at ? null : readAttribute(body, next, limit);
    if (behind === null) {
      at = next;
      break;
    }
    at = behind;
  }
  if (!isClosing && body[at] === "/") at++;
  if (at >= limit || body[at] !== ">") return null;
  return tagOf(body, { nameStart, nameEnd, end: at + 1, isClosing });
}

/**
 * A tag as a browser reads it in a block of HTML, where nearly everything up to the bracket belongs to it. Null where
 * it does not end before the limit.
 */
export function readLooseTag(body: string, start: number, limit: number): Tag | null {
  const isClosing = body[start + 1] === "/";
  const nameStart = start + (isClosing ? 2 : 1);
  let at = nameStart;
  while (at < limit && !isSpaceAt(body, at) && body[at] !== "/" && body[at] !== ">") at++;
  const nameEnd = at;
  let isNamed = false;
  while (at < limit && body[at] !== ">") {
    if (body[at] === "=" && isNamed) {
      at = endOfLooseValue(body, skipSpaces(body, at + 1, limit), limit);
      isNamed = false;
    } else {
      if (body[at] === "/") isNamed = false;
      else if (!isSpaceAt(body, at)) isNamed = true;
      at++;
    }
  }
  return at < limit ? tagOf(body, { nameStart, nameEnd, end: at + 1, isClosing }) : null;
}

/**
 * Behind the next closing tag of that name, as a browser finds it in an element that it does not look into. A comment in
 * a script may hold scripts of its own, whose tags close nothing; nobody writes that by accident, so it has no end.
 */
export function findSwallowEnd(
  body: string,
  element: { readonly name: string; readonly start: number; readonly end: number },
): number | null {
  const { name, start, end } = element;
  for (let at = body.indexOf("</", start); at !== -1 && at < end; at = body.indexOf("</", at + 2)) {
    if (!isNameAt(body, at + 2, name) || !/[\s/>]/.test(body.charAt(at + 2 + name.length))) continue;
    if (name === "script" && body.slice(start, at).includes("<!--")) return null;
    return readLooseTag(body, at, end)?.end ?? null;
  }
  return null;
}

export function isLetterAt(body: string, at: number): boolean {
  return /[A-Za-z]/.test(body.charAt(at));
}

function tagOf(
  body: string,
  tag: { readonly nameStart: number; readonly nameEnd: number; readonly end: number; readonly isClosing: boolean },
): Tag {
  const { nameStart, nameEnd, end, isClosing } = tag;
  return { name: body.slice(nameStart, nameEnd).toLowerCase(), isClosing, end, hasAttributes: end > nameEnd + 1 };
}

function endOfName(body: string, start: number, limit: number): number {
  if (!isLetterAt(body, start)) return start;
  let at = start;
  while (at < limit && /[A-Za-z0-9-]/.test(body.charAt(at))) at++;
  return at;
}

/** Behind an attribute and its value; null where none stands. A value that is no good leaves the bare name. */
function readAttribute(body: string, start: number, limit: number): number | null {
  if (start >= limit || !/[A-Za-z_:]/.test(body.charAt(start))) return null;
  let nameEnd = start;
  while (nameEnd < limit && /[A-Za-z0-9_.:-]/.test(body.charAt(nameEnd))) nameEnd++;
  const sign = skipSpaces(body, nameEnd, limit);
  if (sign >= limit || body[sign] !== "=") return nameEnd;
  const value = skipSpaces(body, sign + 1, limit);
  const quote = body[value];
  if (quote === '"' || quote === "'") {
    const close = indexBefore(body, quote, value + 1, limit);
    return close === null ? nameEnd : close + 1;
  }
  let at = value;
  while (at < limit && !isSpaceAt(body, at) && !"\"'=<>`".includes(body.charAt(at))) at++;
  return at > value ? at : nameEnd;
}

function endOfLooseValue(body: string, start: number, limit: number): number {
  const quote = body[start];
  if (quote === '"' || quote === "'") return (indexBefore(body, quote, start + 1, limit) ?? limit - 1) + 1;
  let at = start;
  while (at < limit && !isSpaceAt(body, at) && body[at] !== ">") at++;
  return at;
}

function indexBefore(body: string, mark: string, from: number, limit: number): number | null {
  for (let at = from; at < limit; at++) if (body[at] === mark) return at;
  return null;
}

function skipSpaces(body: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && isSpaceAt(body, at)) at++;
  return at;
}

/** ASCII blanks and line ends, as HTML has it. */
function isSpaceAt(body: string, at: number): boolean {
  return /[\t\n\f\r ]/.test(body.charAt(at));
}
