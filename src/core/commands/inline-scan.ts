import { type Edition, endMarks } from "#core/commands/html-block.ts";
import { scanHtmlMarks } from "#core/commands/html-scan.ts";
import { readStrictTag } from "#core/commands/html-tags.ts";
import { addElement, commentEnd, type InertText, withoutEnd } from "#core/commands/inert-text.ts";
import { backtickRuns, backticksAt } from "#core/commands/inline-marks.ts";
import { lineStartBefore } from "#core/commands/line-shape.ts";
import { isPunctuation, normalLabel, readLabel, readLinkTail } from "#core/commands/link-parts.ts";
import { displayMark, displayStart, noPairedMarks, seePairedMark } from "#core/commands/paired-marks.ts";
import { type Swallowing, seeTag, swallowedFrom, swallowNothing } from "#core/commands/swallowing.ts";

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The inert parts of a paragraph or heading. What is code, a tag or a link follows CommonMark to the letter, since each
 * takes marks away from the others. Comments and elements that reach over the end of the paragraph are inert too, but
 * the scan goes on within them as if they were not.
 */
export function scanInline(source: InertText, { start, end }: Place): void {
  const { text, spans } = source;
  const nextRun = backtickRuns({ body: text, start, end });
  const scan: Scan = { source, end, brackets: [], deadBefore: start, swallowing: swallowNothing() };
  const paired = noPairedMarks();
  let at = start;
  while (at < end) {
    const mark = text[at];
    const isPaired = mark === "~" || mark === "$" || mark === "\\";
    const pairedEnd =
      isPaired && at >= source.displayEnd ? seePairedMark(paired, { text, start: at, end, spans }) : null;
    if (pairedEnd !== null) {
      at = pairedEnd;
    } else if (mark === "\\") {
      at += isPunctuation(text[at + 1]) ? 2 : 1;
    } else if (mark === "`") {
      const length = backticksAt(text, at, end);
      const close = nextRun(length, at + length);
      if (close !== null) spans.push({ kind: "code", start: at, end: close + length });
      at = (close ?? at) + length;
    } else if (mark === "<") {
      at = scanAngle(scan, at) ?? at + 1;
    } else if (mark === "[" || (mark === "!" && text[at + 1] === "[")) {
      at = openBracket(scan, at);
    } else {
      at = mark === "]" ? closeBracket(scan, at) : at + 1;
    }
  }
  addDisplay(source, displayStart(paired), end);
  const swallowed = swallowedFrom(scan.swallowing);
  if (swallowed !== null) spans.push({ kind: "html", start: swallowed, end: withoutEnd });
}

/** Mathematics that begins a line goes on over blank lines, to the next mark of its kind; without one it is none. */
function addDisplay(source: InertText, start: number | null, from: number): void {
  const { text, spans } = source;
  if (start === null || lineStartBefore(text, start) === null) return;
  const close = text.indexOf(displayMark, from);
  if (close === -1) return;
  source.displayEnd = close + displayMark.length;
  spans.push({ kind: "math", start, end: source.displayEnd });
}

interface Scan {
  readonly source: InertText;
  readonly end: number;
  readonly brackets: Bracket[];
  /** Links hold no links: brackets that opened before the last one make none any more. */
  deadBefore: number;
  readonly swallowing: Swallowing;
}

interface Bracket {
  readonly start: number;
  readonly isImage: boolean;
  hasBracketBehind: boolean;
}

/**
 * Behind an address in angles or HTML; null where the mark is only a mark. `<!--x@y>` is an address, but what looks like
 * a comment is never live.
 */
function scanAngle(scan: Scan, start: number): number | null {
  const { text } = scan.source;
  const hidden = text.startsWith("<!--", start) ? scanComment(scan, start) : scanUnseen(scan, start);
  return addressAt(text, start) ?? hidden ?? scanTag(scan, start);
}

/** As CommonMark writes it out: a scheme and no blanks, or an address of mail. It may hold backticks. */
function addressAt(text: string, start: number): number | null {
  const address =
    /<(?:[a-z][a-z0-9.+-]{1,31}:[^<>\p{Cc} ]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*)>/iuy;
  address.lastIndex = start;
  return address.test(text) ? address.lastIndex : null;
}

function scanComment({ source, end: limit }: Scan, start: number): number | null {
  const { text, edition } = source;
  const end = commentEnd(source, start);
  source.spans.push({ kind: "comment", start, end: end ?? text.length });
  if (end === null || end > limit) return null;
  return edition === "current" || isOlderComment(text, start, end) ? end : null;
}

/** The older edition has no comments that hold two hyphens, or begin or end like the mark of one. */
function isOlderComment(text: string, start: number, end: number): boolean {
  const within = text.slice(start + 4, end - 3);
  return end >= start + 7 && !/^-?>|--|-$/.test(within);
}

function scanUnseen(scan: Scan, start: number): number | null {
  const { text, spans } = scan.source;
  const end = unseenEnd(scan, start);
  if (end === null) return null;
  spans.push({ kind: "html", start, end });
  // A browser sees the end of an instruction at its first bracket, and HTML behind it.
  if (text[start + 1] === "?" || text[start + 2] === "[") scanHtmlMarks(scan.source, { start, end });
  return end;
}

/** Behind an instruction, a declaration or CDATA. */
function unseenEnd({ source, end: limit }: Scan, start: number): number | null {
  const { text, ends, edition } = source;
  let close: number | null = null;
  if (text.startsWith("<?", start)) close = endOf(ends.instruction(start + 2), endMarks.instruction);
  else if (text.startsWith("<![CDATA[", start)) close = endOf(ends.cdata(start + 9), endMarks.cdata);
  else if (text.startsWith("<!", start) && isDeclaration(text, edition, start + 2))
    close = endOf(ends.declaration(start), endMarks.declaration);
  return close !== null && close <= limit ? close : null;
}

function isDeclaration(text: string, edition: Edition, nameStart: number): boolean {
  const name = edition === "older" ? /[A-Z]+\s/y : /[A-Za-z]/y;
  name.lastIndex = nameStart;
  return name.test(text);
}

function endOf(found: number | null, mark: string): number | null {
  return found === null ? null : found + mark.length;
}

function scanTag({ source, end: limit, swallowing }: Scan, start: number): number | null {
  const tag = readStrictTag(source.text, start, limit);
  if (tag === null) return null;
  const { name, end } = tag;
  if (tag.hasAttributes) source.spans.push({ kind: "html", start, end });
  if (!tag.isClosing) addElement(source, { name, start, tagEnd: end });
  const opened = seeTag(swallowing, tag, start);
  if (opened !== null) source.spans.push({ kind: "html", start: opened, end });
  return end;
}

function openBracket({ source, brackets }: Scan, start: number): number {
  const isImage = source.text[start] === "!";
  const before = brackets.at(-1);
  if (before !== undefined) before.hasBracketBehind = true;
  brackets.push({ start, isImage, hasBracketBehind: false });
  return start + (isImage ? 2 : 1);
}

/** A link shows its text and hides where it leads; an image shows neither. */
function closeBracket(scan: Scan, at: number): number {
  const { source } = scan;
  const opener = scan.brackets.pop();
  if (opener === undefined || (!opener.isImage && opener.start < scan.deadBefore)) return at + 1;
  const end = readLinkTail({ text: source.text, end: scan.end }, at + 1) ?? referenceEnd(scan, opener, at);
  if (end === null) return at + 1;
  if (!opener.isImage) scan.deadBefore = opener.start;
  const start = opener.isImage ? opener.start : at + 1;
  if (start < end) source.spans.push({ kind: "link", start, end });
  return end;
}

/** Behind `[text][label]`, `[label][]` or `[label]`, where a definition of that label stands somewhere. */
function referenceEnd({ source, end }: Scan, opener: Bracket, at: number): number | null {
  const { text, labels } = source;
  const behind = readLabel({ text, end }, at + 1);
  const isFull = behind !== null && behind > at + 3;
  if (!isFull && opener.hasBracketBehind) return null;
  const label = isFull ? text.slice(at + 2, behind - 1) : text.slice(opener.start + (opener.isImage ? 2 : 1), at);
  return labels.has(normalLabel(label)) ? (behind ?? at + 1) : null;
}
