import { compareText } from "#core/compare-text.ts";
import type { RawFinding } from "#core/model/finding.ts";

export interface FindingCode {
  readonly text: string;
  readonly number: number;
}

export type CodeOf = (finding: RawFinding) => FindingCode;

/** By sorting and not by a map: the engine hashes a text beyond 16,383 characters by its length alone. */
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

/** Line ends stay: `// note` above `run()` is not `// note run()`. Other invisible characters may be the finding. */
export function normaliseSnippet(snippet: string): string {
  return snippet
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll(/[ \t\v\f]+/g, " ").replaceAll(/^ | $/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}

export function isBlankSnippet(snippet: string): boolean {
  return !/[^ \t\v\f\r\n]/.test(snippet);
}

export interface SearchableText {
  readonly normalised: string;
  readonly squeezed: string;
}

export function toSearchableText(text: string): SearchableText {
  const normalised = normaliseSnippet(text);
  return { normalised, squeezed: squeeze(normalised) };
}

/** Even after a formatter: `if(a==b) run(x)` is in `if (a == b)` and `run(x)` on two lines. In doubt it is there. */
export function containsCode(code: string, { normalised, squeezed }: SearchableText): boolean {
  const wanted = normaliseSnippet(code);
  return normalised.includes(wanted) || standsSqueezed(squeeze(wanted), squeezed);
}

/** White space only where it parts two words: formatters put it in elsewhere and take it out. */
function squeeze(code: string): string {
  return code.replaceAll(/[ \n]+/g, (blank, at: number) => {
    const isBetweenWords = isWord(code[at - 1]) && isWord(code[at + blank.length]);
    return isBetweenWords ? " " : "";
  });
}

/** `a=b` would be found within `data=bytes`, so a short one has to begin and end where words do. */
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
