import { codeParts } from "#core/markdown/code-parts.ts";
import { digestOf } from "#core/model/digest.ts";

/** Punctuation, blanks and a first capital are spelling. In doubt texts differ: one more session, but no lost wish. */
export function meaningOf(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").trim();
  const parts = codeParts(lines);
  if (parts === null) return digestOf(lines);
  // Code is listed by its place among the words, so line breaks do not matter.
  const codes = parts.filter(({ isCode }) => isCode).map(({ text: code }) => code);
  const prose = parts.map(({ isCode, text: part }) => (isCode ? codeMark : part)).join("");
  return digestOf(JSON.stringify([wordsOf(prose), codes]));
}

const codeMark = " 0code ";

const signsBefore = /^["'(*_“‘«]+/u;
const signsAfter = /["')*_”’».,;:!?…]+$/u;

/** A sign within a word, and a minus before it, may be the point of the text. */
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
