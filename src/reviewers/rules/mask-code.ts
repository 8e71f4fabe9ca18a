import { codeCharactersMax } from "#reviewers/rules/review-limits.ts";
import type { Quote, Syntax } from "#reviewers/rules/syntax.ts";

/** Blanks for comments and strings; columns stay. A mistake takes code for words: it costs a finding and raises none. */
export function maskCode(lines: readonly string[], syntax: Syntax): readonly string[] {
  const lexer: Lexer = { syntax, stop: stopsOf(syntax), nest: [{ kind: "code", braces: 0 }] };
  return lines.map((line) => maskLine(lexer, line));
}

interface Lexer {
  readonly syntax: Syntax;
  readonly stop: RegExp;
  /** Innermost last. Only a string that holds code makes it deeper than two. */
  readonly nest: Nested[];
}

type Nested =
  | { readonly kind: "code"; braces: number }
  | { readonly kind: "comment" }
  | { readonly kind: "string"; readonly quote: Quote };

/** Deeper than people write; hostile text must not fill memory. */
const nestMax = 100;

function stopsOf({ lineComments, blockComment, quotes }: Syntax): RegExp {
  const starts = [
    ...lineComments,
    ...(blockComment === null ? [] : [blockComment[0]]),
    ...quotes.map(({ mark }) => mark),
  ];
  const marks = [...new Set([...starts.map((start) => start.charAt(0)), "{", "}"])];
  return new RegExp(`[${marks.map((mark) => `\\${mark}`).join("")}]`, "g");
}

function maskLine(lexer: Lexer, line: string): string {
  if (line.length > codeCharactersMax) return "";
  let masked = "";
  let at = 0;
  while (at < line.length) {
    const inside = lexer.nest.at(-1);
    const step =
      inside === undefined || inside.kind === "code" ? passCode(lexer, line, at, masked) : passWords(lexer, line, at);
    masked += step.masked;
    at = step.at;
  }
  endLine(lexer, line);
  return masked;
}

interface Step {
  readonly at: number;
  readonly masked: string;
}

/** A one-line string ends there, unless the line continues. */
function endLine({ nest }: Lexer, line: string): void {
  const inside = nest.at(-1);
  if (inside?.kind === "string" && !inside.quote.spansLines && !line.endsWith("\\")) nest.pop();
}

function passCode(lexer: Lexer, line: string, from: number, before: string): Step {
  const { syntax, stop, nest } = lexer;
  stop.lastIndex = from;
  const at = stop.exec(line)?.index ?? line.length;
  const code = line.slice(from, at);
  if (at === line.length) return { at, masked: code };
  if (syntax.lineComments.some((mark) => line.startsWith(mark, at))) {
    return { at: line.length, masked: code + blanks(line.length - at) };
  }
  if (syntax.blockComment !== null && line.startsWith(syntax.blockComment[0], at)) {
    nest.push({ kind: "comment" });
    return { at: at + 2, masked: `${code}  ` };
  }
  const quote = syntax.quotes.find(({ mark }) => line.startsWith(mark, at));
  if (quote !== undefined) return openString(lexer, { line, at, quote, code });
  const length = line[at] === "/" && syntax.hasPatterns ? patternLength(line, at, before + code) : 1;
  if (length > 1) return { at: at + length, masked: `${code}/${blanks(length - 2)}/` };
  passBrace(lexer, line[at]);
  return { at: at + 1, masked: code + line.charAt(at) };
}

function openString(
  { syntax, nest }: Lexer,
  {
    line,
    at,
    quote,
    code,
  }: { readonly line: string; readonly at: number; readonly quote: Quote; readonly code: string },
): Step {
  const opened = { at: at + quote.mark.length, masked: code + quote.mark };
  const isLifetime =
    syntax.hasLifetimes && quote.mark === "'" && !/^'(?:\\[^']{1,9}|[^\\'])'/u.test(line.slice(at, at + 12));
  if (!isLifetime && nest.length < nestMax) nest.push({ kind: "string", quote });
  return opened;
}

/** Inside a string that holds code, the closing brace leads back into the string. */
function passBrace({ nest }: Lexer, mark: string | undefined): void {
  const inside = nest.at(-1);
  if (inside?.kind !== "code") return;
  if (mark === "{") inside.braces += 1;
  else if (mark === "}" && inside.braces > 0) inside.braces -= 1;
  else if (mark === "}" && nest.length > 1) nest.pop();
}

function passWords({ syntax, nest }: Lexer, line: string, from: number): Step {
  const inside = nest.at(-1);
  if (inside?.kind === "comment") {
    const close = line.indexOf(syntax.blockComment?.[1] ?? "\n", from);
    if (close === -1) return { at: line.length, masked: blanks(line.length - from) };
    nest.pop();
    return { at: close + 2, masked: blanks(close + 2 - from) };
  }
  return inside?.kind === "string"
    ? passString(nest, { line, from, quote: inside.quote })
    : { at: line.length, masked: "" };
}

function passString(
  nest: Nested[],
  { line, from, quote }: { readonly line: string; readonly from: number; readonly quote: Quote },
): Step {
  let at = from;
  while (at < line.length) {
    if (quote.hasEscapes && line[at] === "\\") at += 2;
    else if (line.startsWith(quote.mark, at)) {
      nest.pop();
      return { at: at + quote.mark.length, masked: blanks(at - from) + quote.mark };
    } else if (quote.holdsCode && line.startsWith("${", at)) {
      nest.push({ kind: "code", braces: 0 });
      return { at: at + 2, masked: `${blanks(at - from)}\${` };
    } else at += 1;
  }
  return { at: line.length, masked: blanks(line.length - from) };
}

/** After one of these a slash begins a pattern; after a name, a number or a bracket it divides. */
const beforePattern = /(?:^|[(,=:[!&|?{;+\-*%~^]|=>|\b(?:return|typeof|case|in|of|do|else|void|throw|await|yield))\s*$/;

/** Length of the regular expression here, 1 for none. One that is not closed in its line is none. */
function patternLength(line: string, at: number, before: string): number {
  if (!beforePattern.test(before.slice(-40))) return 1;
  let isInClass = false;
  for (let index = at + 1; index < line.length; index += 1) {
    const mark = line[index];
    if (mark === "\\") index += 1;
    else if (mark === "[") isInClass = true;
    else if (mark === "]") isInClass = false;
    else if (mark === "/" && !isInClass) return index + 1 - at;
  }
  return 1;
}

function blanks(count: number): string {
  return " ".repeat(count);
}
