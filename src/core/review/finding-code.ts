import { compareText } from "#core/compare-text.ts";
import type { RawFinding } from "#core/model/finding.ts";

/** What a finding is about, worked out once: a snippet may be a whole minified file in one line. */
export interface FindingCode {
  /** The whole snippet, normalised. */
  readonly text: string;
  /** Equal exactly for equal text, among the findings that were read together. */
  readonly number: number;
}

export type CodeOf = (finding: RawFinding) => FindingCode;

/**
 * The code of each finding. Equal texts get their number by sorting and not by a map, because the engine hashes a text
 * beyond 16,383 characters by its length alone: as keys, long snippets would be compared each with each other.
 */
export function readCodes(findings: readonly RawFinding[]): CodeOf {
  const texts = findings.map((finding) => ({ finding, text: normaliseSnippet(finding.snippet) }));
  texts.sort((left, right) => left.text.length - right.text.length || compareText(left.text, right.text));
  const codes = new Map<RawFinding, FindingCode>();
  let last: FindingCode = { text: "", number: 0 };
  for (const { finding, text } of texts) {
    if (text !== last.text) last = { text, number: last.number + 1 };
    codes.set(finding, last);
  }
  return (finding) => {
    const code = codes.get(finding);
    if (code === undefined) throw new Error("readCodes: this finding was not among those that were read");
    return code;
  };
}

/**
 * Code without its indentation, trailing blanks and empty lines. Line ends stay: `// note` above `run()` must not equal
 * `// note run()`, which runs nothing. Only blanks and tabs are dropped, because other invisible characters are
 * something that findings are about.
 */
export function normaliseSnippet(snippet: string): string {
  return snippet
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(/[ \t\v\f]+/g, " ").replaceAll(/^ | $/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}

/** The normalised snippet would be empty: the finding is about a file as a whole. */
export function isBlankSnippet(snippet: string): boolean {
  return !/[^ \t\v\f\r\n]/.test(snippet);
}

/** A text in which code is looked for more than once. */
export interface SearchableText {
  readonly normalised: string;
  readonly squeezed: string;
}

export function toSearchableText(text: string): SearchableText {
  const normalised = normaliseSnippet(text);
  return { normalised, squeezed: squeeze(normalised) };
}

/**
 * Whether code is still in a text, even after a formatter: `if(a==b) run(x)` is found if `if (a == b)` and `run(x)` are
 * on two lines. In doubt it is.
 */
export function containsCode(code: string, { normalised, squeezed }: SearchableText): boolean {
  const wanted = normaliseSnippet(code);
  return normalised.includes(wanted) || standsSqueezed(squeeze(wanted), squeezed);
}

/** White space only where it parts two words: elsewhere it says nothing, and formatters put it in and take it out. */
function squeeze(code: string): string {
  return code.replaceAll(/[ \n]+/g, (blank, at: number) => {
    const isBetweenWords = isWord(code[at - 1]) && isWord(code[at + blank.length]);
    return isBetweenWords ? " " : "";
  });
}

/** A short one such as `a=b` would be found within `data=bytes`, so it has to begin and end where words do. */
const shortCharactersMax = 12;

function standsSqueezed(wanted: string, text: string): boolean {
  if (wanted === "") return true;
  if (wanted.length > shortCharactersMax) return text.includes(wanted);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isPartOfWord = (isWord(wanted[0]) && isWord(text[at - 1])) || (isWord(wanted.at(-1)) && isWord(text[end]));
    if (!isPartOfWord) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
