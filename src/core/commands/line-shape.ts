/** A line of a Markdown body, as far as its containers have not eaten it yet. */
export interface LineCursor {
  readonly body: string;
  /** Without the line's terminator. */
  readonly end: number;
  /** The first character that is not blank; `end` where there is none. */
  at: number;
  /** The column at which that character stands. */
  textColumn: number;
  /** The column up to which the containers have eaten. A tab may be eaten in part, so places do not tell it. */
  column: number;
  /** Where the rest of the line is nothing but these marks and blanks; made when first asked for. */
  breakFrom: number | null;
}

export interface LinePlace {
  readonly body: string;
  readonly start: number;
  readonly end: number;
}

export interface Fence {
  readonly start: number;
  readonly mark: string;
  readonly length: number;
}

export interface ItemMarker {
  readonly end: number;
  /** Whether it may end a paragraph: only what starts a list at one does, since lines may begin with a number. */
  readonly startsAtOne: boolean;
  readonly hasText: boolean;
}

/** A fourth column of spaces would make it indented code. */
export const indentMax = 3;

const fenceMarksMin = 3;
const breakMarksMin = 3;
const headingMarksMax = 6;
const tabColumns = 4;
/** CommonMark's own: longer numbers overflow in some browsers. */
const itemDigitsMax = 9;

export function cursorAt({ body, start, end }: LinePlace): LineCursor {
  const cursor: LineCursor = { body, end, at: start, textColumn: 0, column: 0, breakFrom: null };
  skipBlanks(cursor);
  return cursor;
}

/** Eats a mark that stands at the cursor, and the blanks behind it as far as the next text. */
export function eatMark(cursor: LineCursor, length: number): void {
  cursor.at += length;
  cursor.textColumn += length;
  cursor.column = cursor.textColumn;
  skipBlanks(cursor);
}

export function indentOf(cursor: LineCursor): number {
  return cursor.textColumn - cursor.column;
}

export function isBlank(cursor: LineCursor): boolean {
  return cursor.at === cursor.end;
}

export function readFence({ body, at: start, end }: LineCursor): Fence | null {
  const mark = body[start];
  if (mark !== "`" && mark !== "~") return null;
  const length = runLength({ body, start, end }, mark);
  if (length < fenceMarksMin) return null;
  if (mark === "`") {
    for (let at = start + length; at < end; at++) if (body[at] === "`") return null;
  }
  return { start, mark, length };
}

export function closesFence(cursor: LineCursor, fence: Fence): boolean {
  if (isBlank(cursor) || indentOf(cursor) > indentMax) return false;
  const { body, at, end } = cursor;
  const marks = runLength({ body, start: at, end }, fence.mark);
  return marks >= fence.length && isBlankFrom({ body, start: at + marks, end });
}

export function isHeading({ body, at, end }: LineCursor): boolean {
  const marks = runLength({ body, start: at, end }, "#");
  if (marks === 0 || marks > headingMarksMax) return false;
  return at + marks === end || isSpaceOrTab(body[at + marks]);
}

/** The line under a heading, if the line before was one. */
export function isUnderline({ body, at, end }: LineCursor): boolean {
  const mark = body[at];
  if (mark !== "=" && mark !== "-") return false;
  return isBlankFrom({ body, start: at + runLength({ body, start: at, end }, mark), end });
}

/** Asked at each level of `- - - -`, so the line is looked at once, from its end. */
export function isThematicBreak(cursor: LineCursor): boolean {
  const { body, at, end } = cursor;
  const mark = body[at];
  if (mark !== "-" && mark !== "*" && mark !== "_") return false;
  cursor.breakFrom ??= breakStart({ body, start: at, end });
  if (at < cursor.breakFrom) return false;
  let marks = 0;
  for (let place = at; place < end && marks < breakMarksMin; place++) if (body[place] === mark) marks++;
  return marks === breakMarksMin;
}

/** A bullet or a number, if one stands here with a blank or nothing behind it. */
export function readItemMarker({ body, at: start, end }: LineCursor): ItemMarker | null {
  let at = start;
  while (at < end && at - start < itemDigitsMax && isDigit(body.charCodeAt(at))) at++;
  const mark = body[at];
  const isMark = at > start ? mark === "." || mark === ")" : mark === "-" || mark === "*" || mark === "+";
  if (!isMark || at >= end) return null;
  if (at + 1 < end && !isSpaceOrTab(body[at + 1])) return null;
  const startsAtOne = at === start || Number(body.slice(start, at)) === 1;
  return { end: at + 1, startsAtOne, hasText: !isBlankFrom({ body, start: at + 1, end }) };
}

/** A line ends at LF, CR or both, as in CommonMark; U+2028 is a blank within a line, since no forge breaks there. */
export function lineEnd(body: string, start: number): number {
  let at = start;
  while (at < body.length && !isLineBreak(body.charCodeAt(at))) at++;
  return at;
}

export function nextLine(body: string, end: number): number {
  return body.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, body.length);
}

export function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** Where the line starts on which nothing but blanks stands before this place; null where something does. */
export function lineStartBefore(body: string, at: number): number | null {
  let start = at;
  while (start > 0 && isSpace(body, start - 1)) start--;
  return start === 0 || isLineBreak(body.charCodeAt(start - 1)) ? start : null;
}

/** A blank of any kind within a line. */
export function isSpace(body: string, at: number): boolean {
  return !isLineBreak(body.charCodeAt(at)) && /\s/.test(body.charAt(at));
}

export function isSpaceOrTab(mark: string | undefined): boolean {
  return mark === " " || mark === "\t";
}

function skipBlanks(cursor: LineCursor): void {
  for (; cursor.at < cursor.end; cursor.at++) {
    if (cursor.body[cursor.at] === " ") cursor.textColumn++;
    else if (cursor.body[cursor.at] === "\t") cursor.textColumn += tabColumns - (cursor.textColumn % tabColumns);
    else break;
  }
}

function isBlankFrom({ body, start, end }: LinePlace): boolean {
  let at = start;
  while (at < end && isSpaceOrTab(body[at])) at++;
  return at === end;
}

/** From where to the end of the line only one of the marks of a thematic break and blanks stand. */
function breakStart({ body, start, end }: LinePlace): number {
  let at = end;
  let mark: string | null = null;
  while (at > start) {
    const before = body.charAt(at - 1);
    if (!isSpaceOrTab(before)) {
      if (!"-*_".includes(before) || (mark !== null && before !== mark)) break;
      mark = before;
    }
    at--;
  }
  return at;
}

function runLength({ body, start, end }: LinePlace, mark: string): number {
  let at = start;
  while (at < end && body[at] === mark) at++;
  return at - start;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
