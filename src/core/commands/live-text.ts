import {
  backtickRuns,
  backticksAt,
  commentEnd,
  type FindNext,
  findClosingTag,
  findNext,
  opensTag,
} from "#core/commands/inline-marks.ts";
import { type Fence, lineEnd, lineInFence, nextLine, readLine } from "#core/commands/line-shape.ts";
import { never } from "#core/never.ts";

/** Text that nobody says to anybody: code, comments, quotes. Everything outside of such spans is live. */
export interface InertSpan {
  readonly kind: "fence" | "code" | "comment" | "element" | "quote";
  readonly start: number;
  readonly end: number;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The inert parts of a Markdown body, in order and without overlap, in one pass. It follows CommonMark where that
 * decides what people see as code, and leans to "inert" where renderers differ: a command that is overlooked is said
 * again, a command that nobody gave is not taken back.
 */
export function inertSpans(body: string): readonly InertSpan[] {
  const text: Text = { body, spans: [], tagEnd: findNext((from) => indexOrNull(body, ">", from)), closers: new Map() };
  for (const name of elementNames)
    text.closers.set(
      name,
      findNext((from) => findClosingTag(body, from, name)),
    );
  let columns: readonly number[] = [];
  let at = 0;
  while (at < body.length) {
    const end = lineEnd(body, at);
    const { shape, columns: open } = readLine({ body, start: at, end }, columns);
    columns = open;
    switch (shape.kind) {
      case "blank":
        at = nextLine(body, end);
        break;
      case "quote":
        text.spans.push({ kind: "quote", start: shape.start, end });
        at = nextLine(body, end);
        break;
      case "fence":
        at = scanFence(text, shape);
        break;
      case "indented":
        ({ at, columns } = scanParagraph(text, { start: at, end: nextLine(body, end), columns }));
        break;
      case "item":
      case "text":
        ({ at, columns } = scanParagraph(text, paragraphFrom(body, at, columns)));
        break;
      default:
        return never(shape);
    }
  }
  return text.spans;
}

/** Of places in rising order, those that start in live text. */
export function livePlaces<P extends Place>(places: readonly P[], inert: readonly InertSpan[]): readonly P[] {
  let index = 0;
  return places.filter((place) => {
    while ((inert[index]?.end ?? Number.POSITIVE_INFINITY) <= place.start) index++;
    return (inert[index]?.start ?? Number.POSITIVE_INFINITY) > place.start;
  });
}

/** The text of a place with blanks for everything inert in it. */
export function liveSlice(body: string, place: Place, inert: readonly InertSpan[]): string {
  let live = "";
  let at = place.start;
  for (const span of inert) {
    if (span.end <= at || span.start >= place.end) continue;
    live += body.slice(at, Math.max(at, span.start)) + " ";
    at = span.end;
  }
  return live + body.slice(at, Math.max(at, place.end));
}

/** `<pre>` and `<code>` count when closed; open ones are shown as text by some forges. */
const elementNames = ["pre", "code"] as const;

interface Text {
  readonly body: string;
  readonly spans: InertSpan[];
  readonly tagEnd: FindNext;
  readonly closers: Map<string, FindNext>;
}

function scanFence({ body, spans }: Text, fence: Fence): number {
  let end = lineEnd(body, fence.start);
  let at = nextLine(body, end);
  while (at < body.length) {
    const lineStop = lineEnd(body, at);
    const does = lineInFence({ body, start: at, end: lineStop }, fence);
    if (does === "leaves") break;
    end = lineStop;
    at = nextLine(body, lineStop);
    if (does === "closes") break;
  }
  spans.push({ kind: "fence", start: fence.start, end });
  return at;
}

/** A paragraph, and what follows a comment or element on its last line where that reaches over blank lines. */
function scanParagraph(text: Text, first: Paragraph): { readonly at: number; readonly columns: readonly number[] } {
  let paragraph = first;
  for (;;) {
    const at = scanInline(text, paragraph);
    if (at <= paragraph.end) return { at: paragraph.end, columns: paragraph.columns };
    paragraph = paragraphFrom(text.body, at, paragraph.columns);
  }
}

interface Paragraph extends Place {
  readonly columns: readonly number[];
}

function paragraphFrom(body: string, start: number, columnsBefore: readonly number[]): Paragraph {
  let columns = columnsBefore;
  let at = nextLine(body, lineEnd(body, start));
  while (at < body.length) {
    const end = lineEnd(body, at);
    const line = readLine({ body, start: at, end }, columns);
    if (line.shape.kind !== "text" && line.shape.kind !== "indented") break;
    columns = line.columns;
    at = nextLine(body, end);
  }
  return { start, end: at, columns };
}

/** Returns where it stopped: behind the paragraph if a comment or an element reached over its end. */
function scanInline(text: Text, { start, end }: Place): number {
  const { body, spans } = text;
  const nextRun = backtickRuns({ body, start, end });
  let at = start;
  while (at < end) {
    const mark = body[at];
    if (mark === "\\") {
      at += isEscapable(body[at + 1]) ? 2 : 1;
    } else if (mark === "`") {
      const length = backticksAt(body, at, end);
      const close = nextRun(length, at + length);
      if (close !== null) spans.push({ kind: "code", start: at, end: close + length });
      at = (close ?? at) + length;
    } else if (mark === "<") {
      const span = spanOfTag(text, at);
      if (span !== null) spans.push(span);
      at = span?.end ?? at + 1;
    } else {
      at++;
    }
  }
  return at;
}

function spanOfTag({ body, tagEnd, closers }: Text, start: number): InertSpan | null {
  if (body.startsWith("<!--", start)) return { kind: "comment", start, end: commentEnd(body, start) };
  for (const [name, nextCloser] of closers) {
    if (!opensTag(body, start, name)) continue;
    const opened = tagEnd(start);
    const closer = opened === null ? null : nextCloser(opened + 1);
    if (closer === null) return null;
    return { kind: "element", start, end: body.indexOf(">", closer) + 1 };
  }
  return null;
}

function isEscapable(mark: string | undefined): boolean {
  return mark === "`" || mark === "<" || mark === "\\";
}

function indexOrNull(body: string, mark: string, from: number): number | null {
  const found = body.indexOf(mark, from);
  return found === -1 ? null : found;
}
