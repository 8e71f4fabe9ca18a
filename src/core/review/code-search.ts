import { normaliseSnippet } from "#core/review/finding-code.ts";

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
