import { isLetterAt, readStrictTag } from "#core/commands/html-tags.ts";
import { type FindNext, findNext } from "#core/commands/inline-marks.ts";
import type { LineCursor } from "#core/commands/line-shape.ts";

/**
 * The ways in which a line opens a block of HTML, as CommonMark counts them. The first five run to their own end, over
 * blank lines and to the last line if it never comes; the others to a blank line.
 */
export type HtmlForm = "raw" | "comment" | "instruction" | "declaration" | "cdata" | "block" | "tag";

export type RunningForm = Exclude<HtmlForm, "block" | "tag">;

/**
 * Forges render by different editions of CommonMark. The older one (0.29, which GitHub's is made from) knows fewer
 * declarations and comments and has other names for blocks; what is a fence in one may be a tag's inside in the other.
 */
export type Edition = "current" | "older";

/** Whether the editions can differ in a text at all. */
export function mayDiffer(body: string): boolean {
  return /<!|<\/?(?:textarea|search|source)/i.test(body);
}

/** Where the end of a form stands next, over the whole body. */
export type HtmlEnds = Readonly<Record<RunningForm, FindNext>>;

export function readHtmlForm({ body, at, end }: LineCursor, edition: Edition): HtmlForm | null {
  if (body.startsWith("<!--", at)) return "comment";
  if (body.startsWith("<?", at)) return "instruction";
  if (body.startsWith("<![CDATA[", at)) return "cdata";
  if (body.startsWith("<!", at)) {
    const isKnown = edition === "older" ? /[A-Z]/.test(body.charAt(at + 2)) : isLetterAt(body, at + 2);
    return isKnown ? "declaration" : null;
  }
  const begin = /<(?<slash>\/?)(?<name>[a-z][a-z0-9]*)(?=(?<behind>\s|>|\/>|$))/iy;
  begin.lastIndex = at;
  const { slash, name = "", behind } = begin.exec(body)?.groups ?? {};
  if (slash === "" && behind !== "/>" && rawNames[edition].has(name.toLowerCase())) return "raw";
  if (blockNames.has(name.toLowerCase()) || name.toLowerCase() === newNames[edition]) return "block";
  const tag = readStrictTag(body, at, end);
  return tag !== null && body.slice(tag.end, end).trim() === "" ? "tag" : null;
}

export function isRunning(form: HtmlForm): form is RunningForm {
  return form !== "block" && form !== "tag";
}

/** What ends a form, in the letters that stand there. */
export const endMarks = { comment: "-->", instruction: "?>", declaration: ">", cdata: "]]>" } as const;

export function findHtmlEnds(body: string, edition: Edition): HtmlEnds {
  const next = (mark: string) =>
    findNext((from) => {
      const found = body.indexOf(mark, from);
      return found === -1 ? null : found;
    });
  return {
    raw: findNext((from) => {
      const close = edition === "older" ? /<\/(?:script|pre|style)>/gi : /<\/(?:script|pre|textarea|style)>/gi;
      close.lastIndex = from;
      return close.exec(body)?.index ?? null;
    }),
    comment: next(endMarks.comment),
    instruction: next(endMarks.instruction),
    declaration: next(endMarks.declaration),
    cdata: next(endMarks.cdata),
  };
}

const rawNames: Readonly<Record<Edition, ReadonlySet<string>>> = {
  current: new Set(["script", "pre", "textarea", "style"]),
  older: new Set(["script", "pre", "style"]),
};

/** The one name of a block in which the editions differ. */
const newNames: Readonly<Record<Edition, string>> = { current: "search", older: "source" };

/** Opening or closing tags of these begin a block even within a paragraph. */
const blockNames: ReadonlySet<string> = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);
