import MarkdownIt, { type Token } from "markdown-it";
import { hasTable } from "#core/markdown/code-parts.ts";
import type { Page } from "#core/markdown/html-tags.ts";
import { codeSign, inertSign, readParagraphs } from "#core/markdown/read-text.ts";

/** The limit that markdown-it sets itself for CommonMark. Each level may cost another pass over the lines. */
const levelsMax = 20;

/**
 * Fails closed, with a sign for each character that may be inert, at the same length: a command that is overlooked is
 * written again, a merge by mistake is not taken back (docs/decisions/reading-commands.md).
 */
export function liveText(body: string): string {
  const pieces = body.split(/(\r\n?|\n)/);
  const lines = pieces.filter((_, index) => index % 2 === 0);
  const shown = lines.map(hidden);
  const page: Page = { open: [], isLost: false, hasTable: hasTable(body) };
  let quotes = 0;
  for (const token of blocksOf(body)) {
    const { type, content } = token;
    const [first, end] = token.map ?? [0, 0];
    if (isMisread(token, lines)) {
      // The paragraph before may go on here.
      for (let line = first - 1; line >= 0 && !isBlank(lines[line]); line--) shown[line] = hidden(lines[line] ?? "");
      break;
    }
    if (type.startsWith("blockquote")) quotes += token.nesting;
    // An element does not reach from one list item or quote into another, whatever its tags say.
    if (page.open.length > 0 && /^(?:blockquote|list_item)_/.test(type)) page.isLost = true;
    if (type === "fence" && quotes === 0)
      for (let line = first; line < end; line++) shown[line] = codeSign.repeat(lines[line]?.length ?? 0);
    if ((type !== "inline" && type !== "html_block") || page.isLost) continue;
    const text = readParagraphs(token, page);
    if (quotes === 0) showText({ lines, shown, first }, content, text);
  }
  return pieces.map((piece, index) => (index % 2 === 0 ? shown[index / 2] : piece)).join("");
}

export function isCodeAt(live: string, at: number): boolean {
  return live[at] === codeSign;
}

function blocksOf(body: string): readonly Token[] {
  const markdown = new MarkdownIt("commonmark", { maxNesting: levelsMax });
  markdown.core.ruler.enableOnly(["normalize", "block"]);
  // Forges leave a definition out of the page wherever it leads.
  markdown.validateLink = () => true;
  markdown.normalizeLink = (address) => address;
  return markdown.parse(body, {});
}

/** Begins a block by one edition of CommonMark and not by another. */
const disputedBlock = /^[ \t]*<(?:!(?!--)|\/?(?:search|source|textarea))/im;

/** markdown-it drops deep levels, ends paragraphs at definitions, and overlooks indentation behind lists and quotes. */
function isMisread({ type, level, map, content }: Token, lines: readonly string[]): boolean {
  if (level >= levelsMax - 1) return true;
  const [first, end] = map ?? [0, 0];
  const behind = lines[end] ?? "";
  if (type === "reference_definition") return !isBlank(behind) && (level > 0 || !/^[\p{L}@[]/u.test(behind));
  if (type === "inline") return disputedBlock.test(content);
  if (type === "html_block") return disputedBlock.test(content.split("\n", 1)[0] ?? "");
  if (!/^(?:blockquote|(?:bullet|ordered)_list)_open$/.test(type)) return false;
  const margin = indentOf(lines[first]);
  if (!isBlank(behind) && !isBlank(lines[end - 1]) && indentOf(behind) > margin) return true;
  const within = type === "blockquote_open" ? lines.slice(first + 1, end) : [];
  return within.some((line) => /^\s*>/.test(line) && indentOf(line) > margin);
}

function isBlank(line = ""): boolean {
  return /^[ \t]*$/.test(line);
}

function indentOf(line = ""): number {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
  return Array.from(blanks).reduce((columns, blank) => columns + (blank === "\t" ? 4 - (columns % 4) : 1), 0);
}

interface PageLines {
  readonly lines: readonly string[];
  readonly shown: string[];
  readonly first: number;
}

/** On each line behind the marks of lists and the outer blanks. */
function showText({ lines, shown, first }: PageLines, content: string, text: string): void {
  let at = 0;
  for (const [index, written] of content.split("\n").entries()) {
    const words = written.trim();
    const line = lines[first + index] ?? "";
    const start = line.lastIndexOf(words);
    const from = at + written.length - written.trimStart().length;
    if (words !== "" && start !== -1)
      shown[first + index] =
        hidden(line.slice(0, start)) + text.slice(from, from + words.length) + hidden(line.slice(start + words.length));
    at += written.length + 1;
  }
}

function hidden(line: string): string {
  return line.replaceAll(/\S/g, inertSign);
}
