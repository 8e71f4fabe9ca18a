import { type Edition, findHtmlEnds, type HtmlEnds } from "#core/commands/html-block.ts";
import { backtickRuns, backticksAt, type FindNext, findClosingTag, findNext } from "#core/commands/inline-marks.ts";

/**
 * Text that nobody says to anybody: code, comments, quotes, what is struck out. Everything outside of such spans is live.
 * `code` and `fence` are code on every forge; `indented` is so only where all of them count the columns alike.
 */
export interface InertSpan {
  readonly kind:
    | "fence"
    | "code"
    | "indented"
    | "comment"
    | "element"
    | "quote"
    | "html"
    | "definition"
    | "link"
    | "struck"
    | "math";
  readonly start: number;
  readonly end: number;
}

/** A text whose leaves are looked through in order, and where the inert parts are put; they may overlap. */
export interface InertText {
  readonly text: string;
  readonly edition: Edition;
  readonly labels: ReadonlySet<string>;
  readonly ends: HtmlEnds;
  readonly closers: ReadonlyMap<string, FindNext>;
  readonly spans: InertSpan[];
  /** Behind the last display of mathematics that reaches over the end of its paragraph. */
  displayEnd: number;
}

/** The end of a span that swallows whatever comes behind it. */
export const withoutEnd = Number.POSITIVE_INFINITY;

export function inertText(text: string, edition: Edition, labels: ReadonlySet<string>): InertText {
  const closers = new Map<string, FindNext>();
  for (const name of shownNames)
    closers.set(
      name,
      findNext((from) => findClosingTag(text, from, name)),
    );
  return { text, edition, labels, ends: findHtmlEnds(text, edition), closers, spans: [], displayEnd: 0 };
}

/** Elements that strike out what they hold, on to the end of the page where they are not closed. */
const struckNames = ["del", "s", "strike"] as const;

/** Those, and elements that show code or a quote. These count when closed, wherever that is: an open one may be a slip. */
const shownNames = ["pre", "code", "samp", "tt", "kbd", "var", "math", "blockquote", "q", ...struckNames] as const;

export function addElement({ text, closers, spans }: InertText, place: Opening): void {
  const { name, start, tagEnd } = place;
  const closer = closers.get(name)?.(tagEnd) ?? null;
  const isStruck = struckNames.some((struck) => struck === name);
  if (closer !== null) spans.push({ kind: "element", start, end: text.indexOf(">", closer) + 1 });
  else if (isStruck) spans.push({ kind: "element", start, end: withoutEnd });
}

interface Opening {
  readonly name: string;
  readonly start: number;
  readonly tagEnd: number;
}

/** Behind the comment that opens here; null where it is not closed. `<!-->` and `<!--->` are whole comments. */
export function commentEnd({ text, ends }: InertText, start: number): number | null {
  if (text.startsWith("<!-->", start)) return start + 5;
  if (text.startsWith("<!--->", start)) return start + 6;
  const close = ends.comment(start + 4);
  return close === null ? null : close + 3;
}

/** Code within one line of a leaf that has no code spans: people who write backticks there mean them. */
export function addCodeInLine(
  { text, spans }: InertText,
  line: { readonly start: number; readonly end: number },
): void {
  const nextRun = backtickRuns({ body: text, start: line.start, end: line.end });
  for (let at = line.start; at < line.end; ) {
    const length = backticksAt(text, at, line.end);
    const close = length === 0 ? null : nextRun(length, at + length);
    if (close !== null) spans.push({ kind: "html", start: at, end: close + length });
    at = (close ?? at) + Math.max(length, 1);
  }
}
