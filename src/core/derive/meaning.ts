import { codeParts } from "#core/markdown/code-parts.ts";
import { digestOf } from "#core/model/digest.ts";

/**
 * Equal for two texts that ask for the same. Punctuation around words, blanks and the capital at the beginning of a
 * sentence are spelling; words, their order, and every character of code are meaning. In doubt two texts differ: a
 * corrected word then costs one more session, and no changed wish is lost.
 */
export function meaningOf(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").trim();
  const parts = codeParts(lines);
  if (parts === null) return digestOf(lines);
  // Code is listed by its place among the words, which may be broken into lines in any way.
  const codes = parts.filter(({ isCode }) => isCode).map(({ text: code }) => code);
  const prose = parts.map(({ isCode, text: part }) => (isCode ? codeMark : part)).join("");
  return digestOf(JSON.stringify([wordsOf(prose), codes]));
}

/** Stands for a piece of code among words. */
const codeMark = " 0code ";

const signsBefore = /^["'(*_“‘«]+/u;
const signsAfter = /["')*_”’».,;:!?…]+$/u;

/** Words with what belongs to them: a sign within a word, and a minus before it, may be what it is all about. */
function wordsOf(prose: string): string {
  let isFirst = true;
  const words: string[] = [];
  for (const piece of prose.split(/\s+/)) {
    const word = piece.replace(signsBefore, "").replace(signsAfter, "");
    if (/[\p{L}\p{N}]/u.test(word)) words.push(isFirst ? word.replace(/^\p{Lu}(?=\p{Ll}|$)/u, lower) : word);
    if (piece !== "") isFirst = /[.!?:]["')*_”’»]*$/u.test(piece);
  }
  return words.join(" ");
}

function lower(letter: string): string {
  return letter.toLowerCase();
}
