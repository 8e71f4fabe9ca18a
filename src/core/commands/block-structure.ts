import { type Edition, findHtmlEnds, isRunning, readHtmlForm } from "#core/commands/html-block.ts";
import {
  closesFence,
  cursorAt,
  eatMark,
  indentMax,
  indentOf,
  isBlank,
  isHeading,
  isSpaceOrTab,
  isThematicBreak,
  isUnderline,
  type LineCursor,
  lineEnd,
  nextLine,
  readFence,
  readItemMarker,
} from "#core/commands/line-shape.ts";
import {
  addHtmlLine,
  addLeaf,
  closeLeaf,
  closeTo,
  hasText,
  type Leaf,
  type OpenBlocks,
  openContainer,
  openLeaf,
} from "#core/commands/open-blocks.ts";
import { never } from "#core/never.ts";

/** What a body is made of before anybody looks into its lines, as far as that decides which text is live. */
export interface Blocks {
  readonly leaves: readonly Leaf[];
  readonly labels: ReadonlySet<string>;
}

/**
 * The blocks of a body as CommonMark finds them, line by line, in time that grows with its length. It does not lean to
 * either side: a fence that is seen where there is none makes the next real one look like its end.
 */
export function readBlocks(body: string, edition: Edition): Blocks {
  const open: OpenBlocks = {
    body,
    edition,
    ends: findHtmlEnds(body, edition),
    containers: [],
    quotes: [],
    isLastEmpty: false,
    leaf: { kind: "none" },
    closed: [],
    labels: new Set(),
  };
  for (let at = 0; at < body.length; ) {
    const end = lineEnd(body, at);
    const cursor = cursorAt({ body, start: at, end });
    readLine(open, { cursor, text: cursor.at, quoteAt: null });
    at = nextLine(body, end);
  }
  closeTo(open, 0);
  return { leaves: open.closed, labels: open.labels };
}

interface Line {
  readonly cursor: LineCursor;
  /** The first character that is not blank. */
  readonly text: number;
  /** The first mark of a quote. */
  quoteAt: number | null;
}

function readLine(open: OpenBlocks, line: Line): void {
  const { cursor } = line;
  const matched = matchContainers(open, line);
  const isWhole = matched === open.containers.length;
  if (!isWhole || !goesOn(open, cursor)) {
    const depth = startBlocks(open, line, matched);
    if (depth !== null) addText(open, cursor, depth);
  }
  if (open.quotes.length > 0 && line.text < cursor.end)
    open.closed.push({ kind: "quote", start: line.quoteAt ?? line.text, end: cursor.end });
}

/** How many of the open containers go on with this line. */
function matchContainers(open: OpenBlocks, line: Line): number {
  const { cursor } = line;
  const { containers } = open;
  let quotes = 0;
  for (const [index, columns] of containers.entries()) {
    // A blank line belongs to all items down to the next quote; walking through them each time would be quadratic.
    if (isBlank(cursor)) return open.quotes[quotes] ?? containers.length - (isEmptyItem(open) ? 1 : 0);
    if (columns === null) {
      if (!eatQuoteMark(line)) return index;
      quotes++;
    } else if (indentOf(cursor) >= columns) cursor.column += columns;
    else return index;
  }
  return containers.length;
}

function isEmptyItem({ containers, isLastEmpty }: OpenBlocks): boolean {
  return isLastEmpty && typeof containers.at(-1) === "number";
}

function eatQuoteMark(line: Line): boolean {
  const { cursor } = line;
  if (indentOf(cursor) > indentMax || isBlank(cursor) || cursor.body[cursor.at] !== ">") return false;
  line.quoteAt ??= cursor.at;
  const isSpaced = isSpaceOrTab(cursor.body[cursor.at + 1]);
  eatMark(cursor, 1);
  if (isSpaced) cursor.column++;
  return true;
}

/** Whether the line belongs to the leaf that is open, whatever it holds. */
function goesOn(open: OpenBlocks, cursor: LineCursor): boolean {
  const { leaf } = open;
  switch (leaf.kind) {
    case "none":
      return false;
    case "fence":
      leaf.end = cursor.end;
      if (closesFence(cursor, leaf.fence)) closeLeaf(open);
      return true;
    case "html":
      if (!isRunning(leaf.form) && isBlank(cursor)) break;
      addHtmlLine(open, cursor);
      return true;
    case "indented":
      if (isBlank(cursor)) return true;
      if (indentOf(cursor) <= indentMax) break;
      addLeaf(open, { kind: "indented", start: cursor.at, end: cursor.end });
      return true;
    case "paragraph":
      if (!isBlank(cursor)) return false;
      break;
    default:
      return never(leaf);
  }
  closeLeaf(open);
  return false;
}

/** Opens what starts on this line. Returns how deep the text stands that is left of it; null for none. */
function startBlocks(open: OpenBlocks, line: Line, matched: number): number | null {
  const { cursor } = line;
  let depth = matched;
  let isInParagraph = depth === open.containers.length && open.leaf.kind === "paragraph";
  while (!isBlank(cursor)) {
    if (indentOf(cursor) > indentMax) {
      if (open.leaf.kind === "paragraph") return depth;
      openLeaf(open, depth, { kind: "indented" });
      addLeaf(open, { kind: "indented", start: cursor.at, end: cursor.end });
      return null;
    }
    const isQuote = eatQuoteMark(line);
    if (!isQuote && startLeaf(open, cursor, { depth, isInParagraph })) return null;
    const columns = isQuote ? null : eatItemMarker(cursor, isInParagraph);
    if (!isQuote && columns === null) return depth;
    openContainer(open, depth, columns);
    depth++;
    isInParagraph = false;
  }
  closeTo(open, depth);
  return null;
}

function startLeaf(
  open: OpenBlocks,
  cursor: LineCursor,
  within: { readonly depth: number; readonly isInParagraph: boolean },
): boolean {
  const { depth } = within;
  if (isHeading(cursor)) {
    openLeaf(open, depth, { kind: "paragraph", lines: [{ start: cursor.at, end: cursor.end }] });
    closeLeaf(open);
    return true;
  }
  const fence = readFence(cursor);
  if (fence !== null) {
    openLeaf(open, depth, { kind: "fence", fence, end: cursor.end });
    return true;
  }
  const form = cursor.body[cursor.at] === "<" ? readHtmlForm(cursor, open.edition) : null;
  // A lone tag is HTML within a paragraph, not the end of one.
  if (form !== null && !(form === "tag" && open.leaf.kind === "paragraph")) {
    openLeaf(open, depth, { kind: "html", form, lines: [] });
    addHtmlLine(open, cursor);
    return true;
  }
  const isUnder = within.isInParagraph && isUnderline(cursor) && hasText(open);
  if (!isUnder && !isThematicBreak(cursor)) return false;
  openLeaf(open, depth, { kind: "none" });
  return true;
}

/** The columns that the lines of the item must have before them. */
function eatItemMarker(cursor: LineCursor, isInParagraph: boolean): number | null {
  const marker = readItemMarker(cursor);
  if (marker === null || (isInParagraph && !(marker.startsAtOne && marker.hasText))) return null;
  const indent = indentOf(cursor);
  const length = marker.end - cursor.at;
  eatMark(cursor, length);
  const blanks = indentOf(cursor);
  const isCodeOrEmpty = isBlank(cursor) || blanks > indentMax + 1;
  const eaten = isCodeOrEmpty ? 1 : blanks;
  cursor.column += eaten;
  return indent + length + eaten;
}

/** A line of text goes on with the paragraph that is open, be it in a quote or an item whose mark the line lacks. */
function addText(open: OpenBlocks, cursor: LineCursor, depth: number): void {
  const text = { start: cursor.at, end: cursor.end };
  if (open.leaf.kind === "paragraph") open.leaf.lines.push(text);
  else openLeaf(open, depth, { kind: "paragraph", lines: [text] });
}
