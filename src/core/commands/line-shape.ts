/**
 * What a line of Markdown is before anybody looks into it, as far as it decides which text is live: blank, quoted, the
 * start of a fence, the start of a list item, or plain text. Lists matter because the code in them is indented: under
 * `10. ` a fence stands at the fourth column, and taking it for text would bring the code in it to life.
 */
export interface Line {
  readonly shape: LineShape;
  /** Content columns of the list items that are open after this line, outermost first. */
  readonly columns: readonly number[];
}

export type LineShape =
  | { readonly kind: "blank" }
  | { readonly kind: "quote"; readonly start: number }
  | ({ readonly kind: "fence" } & Fence)
  | { readonly kind: "item" }
  /** Code, unless it goes on with a paragraph; what it holds is live, but opens nothing for the lines after it. */
  | { readonly kind: "indented" }
  | { readonly kind: "text" };

export interface Fence {
  readonly start: number;
  readonly mark: string;
  readonly length: number;
  /** The content column of the list item that it stands in; 0 outside of lists. */
  readonly column: number;
}

export interface LinePlace {
  readonly body: string;
  readonly start: number;
  /** Without the line's terminator. */
  readonly end: number;
}

const fenceMarksMin = 3;
/** A fourth column of spaces would make it indented code. */
const indentMax = 3;
const tabColumns = 4;
/** CommonMark's own: longer numbers overflow in some browsers. */
const itemDigitsMax = 9;

export function readLine(line: LinePlace, columns: readonly number[]): Line {
  const { body, end } = line;
  let { at, column } = skipBlanks(line, 0);
  if (at === end) return { shape: { kind: "blank" }, columns };
  const open = columns.filter((content) => content <= column);
  const outer = open.length;
  for (;;) {
    const inside = open.at(-1) ?? 0;
    if (body[at] === ">") return { shape: { kind: "quote", start: at }, columns: open };
    if (column - inside > indentMax) return { shape: { kind: "indented" }, columns: open };
    const fence = readFence({ body, start: at, end }, inside);
    if (fence !== null) return { shape: { kind: "fence", ...fence }, columns: open };
    const markerEnd = itemMarkerEnd({ body, start: at, end });
    if (markerEnd === null) break;
    const marked = column + markerEnd - at;
    const content = skipBlanks({ body, start: markerEnd, end }, marked);
    const isCodeOrEmpty = content.at === end || content.column - marked > tabColumns;
    open.push(isCodeOrEmpty ? marked + 1 : content.column);
    if (isCodeOrEmpty) break;
    ({ at, column } = content);
  }
  return { shape: { kind: open.length > outer ? "item" : "text" }, columns: open };
}

/** What a line does to the fence that it stands behind. `leaves`: its list item is over, and the fence with it. */
export function lineInFence(line: LinePlace, fence: Fence): "inside" | "closes" | "leaves" {
  const { body, end } = line;
  const { at, column } = skipBlanks(line, 0);
  if (at === end) return "inside";
  if (column < fence.column) return "leaves";
  if (column - fence.column > indentMax) return "inside";
  const marks = runLength({ body, start: at, end }, fence.mark);
  if (marks < fence.length) return "inside";
  return skipBlanks({ body, start: at + marks, end }, 0).at === end ? "closes" : "inside";
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

function readFence(line: LinePlace, column: number): Fence | null {
  const mark = line.body[line.start];
  if (mark !== "`" && mark !== "~") return null;
  const length = runLength(line, mark);
  if (length < fenceMarksMin) return null;
  if (mark === "`") {
    for (let at = line.start + length; at < line.end; at++) if (line.body[at] === "`") return null;
  }
  return { start: line.start, mark, length, column };
}

/** Where a bullet or a number ends, if one stands here with a blank or nothing behind it. */
function itemMarkerEnd({ body, start, end }: LinePlace): number | null {
  let at = start;
  while (at < end && at - start < itemDigitsMax && isDigit(body.charCodeAt(at))) at++;
  const mark = body[at];
  const isMark = at > start ? mark === "." || mark === ")" : mark === "-" || mark === "*" || mark === "+";
  if (!isMark || at >= end) return null;
  const behind = body[at + 1];
  return at + 1 === end || behind === " " || behind === "\t" ? at + 1 : null;
}

function skipBlanks({ body, start, end }: LinePlace, from: number): { readonly at: number; readonly column: number } {
  let at = start;
  let column = from;
  for (; at < end; at++) {
    if (body[at] === " ") column++;
    else if (body[at] === "\t") column += tabColumns - (column % tabColumns);
    else break;
  }
  return { at, column };
}

function runLength({ body, start, end }: LinePlace, mark: string): number {
  let at = start;
  while (at < end && body[at] === mark) at++;
  return at - start;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
