import { endMarks, type HtmlForm } from "#core/commands/html-block.ts";
import { findSwallowEnd, isLetterAt, readLooseTag } from "#core/commands/html-tags.ts";
import { addCodeInLine, addElement, commentEnd, type InertText, withoutEnd } from "#core/commands/inert-text.ts";
import { lineEnd, nextLine } from "#core/commands/line-shape.ts";
import { isBlind, type Swallowing, seeTag, swallowedFrom, swallowNothing } from "#core/commands/swallowing.ts";
import { never } from "#core/never.ts";

export interface HtmlPlace {
  readonly form: HtmlForm;
  readonly start: number;
  readonly end: number;
}

/**
 * The inert parts of a block of HTML. It reaches the page as it stands, so a browser decides: a tag, a comment or an
 * element that is not finished where the block ends swallows what comes behind.
 */
export function scanHtml(source: InertText, place: HtmlPlace): void {
  const { text, spans } = source;
  const { form, start } = place;
  const formEnd = endOfForm(source, place);
  if (formEnd !== null) spans.push({ kind: kindOf(form), start, end: formEnd });
  scanHtmlMarks(source, place);
  for (let line = start; line < place.end; ) {
    const end = Math.min(lineEnd(text, line), place.end);
    addCodeInLine(source, { start: line, end });
    line = nextLine(text, end);
  }
}

/** As above, for any stretch of text that reaches the page as it stands. */
export function scanHtmlMarks(source: InertText, place: { readonly start: number; readonly end: number }): void {
  const { text, spans } = source;
  const swallowing = swallowNothing();
  let at = place.start;
  while (at < place.end) {
    if (text[at] === "<") at = scanMark(source, swallowing, { start: at, end: place.end });
    else at++;
  }
  const swallowed = swallowedFrom(swallowing);
  if (swallowed !== null) spans.push({ kind: "html", start: swallowed, end: withoutEnd });
}

/** More than the longest of the names, which is `textarea`. */
const rawNameMax = 10;

/** Behind what makes the block one of the forms that run to their own end; null for the other forms. */
function endOfForm(source: InertText, { form, start, end }: HtmlPlace): number | null {
  switch (form) {
    case "comment":
      return within(commentEnd(source, start), end);
    case "instruction":
    case "declaration":
    case "cdata": {
      const close = source.ends[form](start + 1);
      return within(close === null ? null : close + endMarks[form].length, end);
    }
    case "raw": {
      const name = /[a-z]+/i.exec(source.text.slice(start + 1, start + rawNameMax))?.[0] ?? "";
      return findSwallowEnd(source.text, { name: name.toLowerCase(), start, end }) ?? withoutEnd;
    }
    case "block":
    case "tag":
      return null;
    default:
      return never(form);
  }
}

function kindOf(form: HtmlForm): "comment" | "element" | "html" {
  if (form === "comment") return "comment";
  return form === "raw" ? "element" : "html";
}

function within(found: number | null, end: number): number {
  return found !== null && found <= end ? found : withoutEnd;
}

/** Looks at what opens at an angle, and returns where to go on. */
function scanMark(
  source: InertText,
  swallowing: Swallowing,
  { start, end: limit }: { readonly start: number; readonly end: number },
): number {
  const { text, spans } = source;
  if (text.startsWith("<!--", start)) return put(source, "comment", start, within(commentEnd(source, start), limit));
  const isClosing = text[start + 1] === "/";
  if (!isLetterAt(text, start + (isClosing ? 2 : 1))) {
    if (!isClosing && text[start + 1] !== "!" && text[start + 1] !== "?") return start + 1;
    const close = source.ends.declaration(start);
    return put(source, "html", start, within(close === null ? null : close + 1, limit));
  }
  const tag = readLooseTag(text, start, limit);
  if (tag === null) return put(source, "html", start, withoutEnd);
  if (tag.hasAttributes) spans.push({ kind: "html", start, end: tag.end });
  if (!tag.isClosing && isBlind(tag.name))
    return put(
      source,
      "html",
      start,
      findSwallowEnd(text, { name: tag.name, start: tag.end, end: limit }) ?? withoutEnd,
    );
  if (!tag.isClosing) addElement(source, { name: tag.name, start, tagEnd: tag.end });
  const opened = seeTag(swallowing, tag, start);
  if (opened !== null) spans.push({ kind: "html", start: opened, end: tag.end });
  return tag.end;
}

function put({ spans }: InertText, kind: "comment" | "html", start: number, end: number): number {
  spans.push({ kind, start, end });
  return end;
}
