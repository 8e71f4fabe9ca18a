/**
 * Each block's lines; none: delete. Code that nobody saw must not be committed, so only what all renderers show as a block
 * counts: not in a quote, a list, HTML or another block, and never one left open, since its end may have been cut off.
 */
export function readSuggestions(body: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let fence: OpenFence | null = null;
  let html: HtmlState = { kind: "none" };
  for (const line of body.split(/\r\n|\n|\r/)) {
    if (fence !== null) {
      if (!closes(fence, line)) {
        fence.lines.push(withoutIndent(line, fence.indent));
        continue;
      }
      if (fence.isSuggestion) found.push(fence.lines);
      fence = null;
      continue;
    }
    const before: HtmlState = html;
    html = passHtml(before, line);
    if (before.kind === "none" && html.kind === "none") fence = openFence(line);
  }
  return found;
}

interface OpenFence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
  readonly isSuggestion: boolean;
  readonly lines: string[];
}

/** Behind backticks a backtick makes it code within a line. */
const fenceShape = /^(?<indent> {0,3})(?<marks>`{3,}(?!.*`)|~{3,})[ \t]*(?<info>.*)$/;

function openFence(line: string): OpenFence | null {
  const { indent = "", marks = "", info = "" } = fenceShape.exec(line)?.groups ?? {};
  if (marks === "") return null;
  return {
    mark: marks.charAt(0),
    length: marks.length,
    indent: indent.length,
    isSuggestion: /^suggestion(?:[ \t]|$)/.test(info),
    lines: [],
  };
}

function closes({ mark, length }: OpenFence, line: string): boolean {
  const marks = /^ {0,3}(?<marks>`{3,}|~{3,})[ \t]*$/.exec(line)?.groups?.["marks"] ?? "";
  return marks.startsWith(mark) && marks.length >= length;
}

function withoutIndent(line: string, indent: number): string {
  const blanks = /^ */.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(blanks, indent));
}

/** HTML without fences: up to its own end, or up to the next empty line. */
type HtmlState =
  | { readonly kind: "none" }
  | { readonly kind: "until_text"; readonly end: RegExp }
  | { readonly kind: "until_blank" };

const noHtml: HtmlState = { kind: "none" };

const htmlBlocks: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![A-Za-z]/, />/],
];

function passHtml(state: HtmlState, line: string): HtmlState {
  if (state.kind === "until_text") return state.end.test(line) ? noHtml : state;
  if (state.kind === "until_blank") return line.trim() === "" ? noHtml : state;
  // A comment may also begin in the middle of a line.
  const comment = line.lastIndexOf("<!--");
  if (comment !== -1 && !line.includes("-->", comment)) return { kind: "until_text", end: /-->/ };
  for (const [start, end] of htmlBlocks) {
    if (start.test(line)) return end.test(line.replace(start, "")) ? noHtml : { kind: "until_text", end };
  }
  return /^ {0,3}<\/?[A-Za-z]/.test(line) ? { kind: "until_blank" } : noHtml;
}
