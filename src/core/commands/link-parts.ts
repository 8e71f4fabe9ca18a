import { isLineBreak, isSpaceOrTab, nextLine } from "#core/commands/line-shape.ts";

/** A stretch of text within which links are read. */
export interface Stretch {
  readonly text: string;
  readonly end: number;
}

export interface Definition {
  readonly label: string;
  readonly end: number;
}

/** CommonMark's own limit. */
const labelCharactersMax = 999;
/** CommonMark asks for three levels at least; without any limit a row of brackets takes quadratic time. */
const parenthesesMax = 32;

/** `[label]: destination "title"`: all of it is left out of the page. Null where none starts here. */
export function readDefinition(stretch: Stretch, start: number): Definition | null {
  const { text } = stretch;
  const labelEnd = readLabel(stretch, start);
  if (labelEnd === null || text[labelEnd] !== ":" || labelEnd >= stretch.end) return null;
  const label = normalLabel(text.slice(start + 1, labelEnd - 1));
  const destination = readDestination(stretch, skipToText(stretch, labelEnd + 1));
  if (label === "" || destination === null) return null;
  const titleStart = skipToText(stretch, destination);
  const title = titleStart === destination ? null : readTitle(stretch, titleStart);
  const end = (title === null ? null : endOfLineFrom(stretch, title)) ?? endOfLineFrom(stretch, destination);
  return end === null ? null : { label, end };
}

/** Behind `(destination "title")`; null where that does not stand here. */
export function readLinkTail(stretch: Stretch, start: number): number | null {
  const { text, end } = stretch;
  if (start >= end || text[start] !== "(") return null;
  const opened = skipToText(stretch, start + 1);
  const destination = readDestination(stretch, opened, true);
  if (destination === null) return null;
  let at = skipToText(stretch, destination);
  const title = at === destination ? null : readTitle(stretch, at);
  if (title !== null) at = skipToText(stretch, title);
  return at < end && text[at] === ")" ? at + 1 : null;
}

/** Behind `[label]`; null where none stands here. */
export function readLabel({ text, end }: Stretch, start: number): number | null {
  if (start >= end || text[start] !== "[") return null;
  const limit = Math.min(end, start + labelCharactersMax + 2);
  for (let at = start + 1; at < limit; at++) {
    if (text[at] === "]") return at + 1;
    if (text[at] === "[") return null;
    if (text[at] === "\\") at++;
  }
  return null;
}

/** Labels are equal in any case and with any blanks. Both cases, because some letters have no single other one. */
export function normalLabel(label: string): string {
  return label.trim().replaceAll(/\s+/g, " ").toLowerCase().toUpperCase();
}

export function isPunctuation(mark: string | undefined): boolean {
  return mark !== undefined && /^[!-/:-@[-`{-~]$/.test(mark);
}

function readDestination(stretch: Stretch, start: number, mayBeEmpty = false): number | null {
  const { text, end } = stretch;
  if (text[start] === "<" && start < end) return readAngled(stretch, start);
  let at = start;
  let depth = 0;
  for (; at < end && text.charCodeAt(at) > 0x20; at++) {
    if (text[at] === ")" && depth === 0) break;
    if (text[at] === "\\" && isPunctuation(text[at + 1])) at++;
    else if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    if (depth > parenthesesMax) return null;
  }
  if (depth > 0 || (at === start && !mayBeEmpty)) return null;
  return Math.min(at, end);
}

function readAngled({ text, end }: Stretch, start: number): number | null {
  for (let at = start + 1; at < end; at++) {
    if (text[at] === ">") return at + 1;
    if (text[at] === "<" || isLineBreak(text.charCodeAt(at))) return null;
    if (text[at] === "\\" && isPunctuation(text[at + 1])) at++;
  }
  return null;
}

function readTitle({ text, end }: Stretch, start: number): number | null {
  const open = text[start];
  if (start >= end || (open !== '"' && open !== "'" && open !== "(")) return null;
  const close = open === "(" ? ")" : open;
  for (let at = start + 1; at < end; at++) {
    if (text[at] === close) return at + 1;
    if (text[at] === "(" && open === "(") return null;
    if (text[at] === "\\") at++;
  }
  return null;
}

/** Over blanks and at most one line end. */
function skipToText(stretch: Stretch, start: number): number {
  const { text, end } = stretch;
  const at = skipBlanks(stretch, start);
  return at < end && isLineBreak(text.charCodeAt(at)) ? skipBlanks(stretch, nextLine(text, at)) : at;
}

/** The start of the next line if nothing but blanks is left on this one. */
function endOfLineFrom(stretch: Stretch, start: number): number | null {
  const { text, end } = stretch;
  const at = skipBlanks(stretch, start);
  if (at >= end) return end;
  return isLineBreak(text.charCodeAt(at)) ? Math.min(nextLine(text, at), end) : null;
}

function skipBlanks({ text, end }: Stretch, start: number): number {
  let at = start;
  while (at < end && isSpaceOrTab(text[at])) at++;
  return at;
}
