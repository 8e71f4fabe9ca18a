import type { Edition, HtmlEnds, HtmlForm } from "#core/commands/html-block.ts";
import { isRunning } from "#core/commands/html-block.ts";
import type { Fence, LineCursor } from "#core/commands/line-shape.ts";
import { readDefinition } from "#core/commands/link-parts.ts";
import { never } from "#core/never.ts";

export type Leaf =
  /** `text`: a paragraph or a heading. `indented` and `quote`: one line. */
  | {
      readonly kind: "text" | "fence" | "definition" | "indented" | "quote";
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: "html"; readonly form: HtmlForm; readonly start: number; readonly end: number }
  /** What stands in a quote, without the quote's marks: it matters for HTML that swallows what is behind the quote. */
  | { readonly kind: "quoted"; readonly form: HtmlForm | null; readonly text: string; readonly end: number };

export type OpenLeaf =
  | { readonly kind: "none" | "indented" }
  | { readonly kind: "fence"; readonly fence: Fence; end: number }
  | { readonly kind: "html"; readonly form: HtmlForm; readonly lines: LineText[] }
  | { readonly kind: "paragraph"; lines: LineText[] };

/** A line without the blanks and marks before its text. */
interface LineText {
  readonly start: number;
  readonly end: number;
}

/** The blocks that are open between two lines, and what was closed so far. */
export interface OpenBlocks {
  readonly body: string;
  readonly edition: Edition;
  readonly ends: HtmlEnds;
  /** Open containers, outermost first: the columns that a list item asks for, null for a quote. */
  readonly containers: (number | null)[];
  /** Which of them are quotes. */
  readonly quotes: number[];
  /** Whether the innermost container holds nothing yet: a list item may not begin with two blank lines. */
  isLastEmpty: boolean;
  leaf: OpenLeaf;
  readonly closed: Leaf[];
  /** Labels that links may refer to. */
  readonly labels: Set<string>;
}

export function openContainer(open: OpenBlocks, depth: number, columns: number | null): void {
  closeTo(open, depth);
  if (columns === null) open.quotes.push(depth);
  open.containers.push(columns);
  open.isLastEmpty = true;
}

export function openLeaf(open: OpenBlocks, depth: number, leaf: OpenLeaf): void {
  closeTo(open, depth);
  open.leaf = leaf;
  open.isLastEmpty = false;
}

/** Closes the leaf, and the containers below a depth. */
export function closeTo(open: OpenBlocks, depth: number): void {
  closeLeaf(open);
  if (open.containers.length <= depth) return;
  open.containers.length = depth;
  while ((open.quotes.at(-1) ?? -1) >= depth) open.quotes.pop();
  open.isLastEmpty = false;
}

export function closeLeaf(open: OpenBlocks): void {
  const { leaf } = open;
  switch (leaf.kind) {
    case "none":
    case "indented":
      break;
    case "fence":
      addLeaf(open, { kind: "fence", start: leaf.fence.start, end: leaf.end });
      break;
    case "html":
      addLines(open, leaf.lines, leaf.form);
      break;
    case "paragraph":
      takeDefinitions(open, leaf);
      addLines(open, leaf.lines, null);
      break;
    default:
      return never(leaf);
  }
  open.leaf = { kind: "none" };
}

export function addHtmlLine(open: OpenBlocks, cursor: LineCursor): void {
  const { leaf } = open;
  if (leaf.kind !== "html") return;
  leaf.lines.push({ start: cursor.at, end: cursor.end });
  if (isRunning(leaf.form) && (open.ends[leaf.form](cursor.at) ?? cursor.end) < cursor.end) closeLeaf(open);
}

/** Whether the open paragraph holds more than definitions, which are taken out of it. */
export function hasText(open: OpenBlocks): boolean {
  if (open.leaf.kind !== "paragraph") return false;
  takeDefinitions(open, open.leaf);
  return open.leaf.lines.length > 0;
}

/** Within a quote nothing is kept but the lines of the quote. */
export function addLeaf(open: OpenBlocks, leaf: Leaf): void {
  if (open.quotes.length === 0) open.closed.push(leaf);
}

function addLines(open: OpenBlocks, lines: readonly LineText[], form: HtmlForm | null): void {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return;
  const place = { start: first.start, end: last.end };
  if (open.quotes.length > 0) open.closed.push({ kind: "quoted", form, text: joined(open, lines), end: last.end });
  else open.closed.push(form === null ? { kind: "text", ...place } : { kind: "html", form, ...place });
}

/** Definitions of links stand at the start of a paragraph and are no part of the page; their labels count anywhere. */
function takeDefinitions(open: OpenBlocks, paragraph: { lines: LineText[] }): void {
  const { lines } = paragraph;
  const [first] = lines;
  if (first === undefined || open.body[first.start] !== "[") return;
  const text = joined(open, lines);
  let end = 0;
  for (;;) {
    const definition = readDefinition({ text, end: text.length }, end);
    if (definition === null) break;
    open.labels.add(definition.label);
    end = definition.end;
  }
  let taken = 0;
  for (let at = 0; at < end && taken < lines.length; taken++) {
    const line = lines[taken] ?? first;
    addLeaf(open, { kind: "definition", ...line });
    at += line.end - line.start + 1;
  }
  paragraph.lines = lines.slice(taken);
}

function joined({ body }: OpenBlocks, lines: readonly LineText[]): string {
  return lines.map((line) => body.slice(line.start, line.end)).join("\n");
}
