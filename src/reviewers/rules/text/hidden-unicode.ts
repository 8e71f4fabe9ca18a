import { listed } from "#core/words/counted.ts";
import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { codeCharactersMax } from "#reviewers/rules/review-limits.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";
import { syntaxOf } from "#reviewers/rules/syntax.ts";
import {
  findHiddenCharacters,
  type HiddenCharacter,
  type HiddenKind,
} from "#reviewers/rules/text/hidden-characters.ts";

export const hiddenUnicode: Rule = {
  name: "hidden-unicode",
  title: "Hidden Unicode characters",
  score: 9,
  catches:
    "Characters that reorder text (bidirectional controls), take no room (zero width) or are never shown (tags), so that a reader sees other code than the machine. Joiners in scripts and emoji that need them, and text in right-to-left scripts outside of code, are left alone.",
  example: "U+202E in a comment, U+200B in a name",
  scope: "written",
  applies: () => true,
  check: (file) => file.added.flatMap((line) => hiddenHit(file, line)),
};

const scores = { bidi: 9, tag: 9, invisible: 7 } as const satisfies Record<HiddenKind, number>;

const effects = {
  bidi: "they change the order in which the line is shown, so it reads differently from what runs",
  tag: "they carry text that nobody sees, and that machines may read",
  invisible: "nobody sees them, yet names and texts with them differ from those without",
} as const satisfies Record<HiddenKind, string>;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const namedMax = 5;

function hiddenHit(file: ChangedFile, line: Line): readonly Hit[] {
  const found = findHiddenCharacters(line.text, line.number === 1);
  const worst = found.toSorted((one, other) => scores[other.kind] - scores[one.kind])[0];
  if (worst === undefined || isOrdinaryWriting(file, line, found)) return [];
  const points = [...new Set(found.map(({ point }) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`))];
  const message = `This line holds characters that cannot be seen (${listed(points, namedMax)}): ${effects[worst.kind]}. Remove them, or write them as escapes if they are meant.`;
  const suggestion = mayRemove(file, line, found) ? without(line.text, found) : null;
  return [hitLine(line.number, { score: scores[worst.kind], message, suggestion })];
}

/** Hebrew or Arabic prose needs the controls; code, next to what runs, does not. */
function isOrdinaryWriting({ language }: ChangedFile, { text }: Line, found: readonly HiddenCharacter[]): boolean {
  const isCode = !["prose", "json", "yaml", "other"].includes(language);
  return !isCode && rightToLeft.test(text) && found.every(({ kind }) => kind !== "tag");
}

/** A string may mean them: there only characters that deceive are removed without asking. */
function mayRemove(file: ChangedFile, { text, code }: Line, found: readonly HiddenCharacter[]): boolean {
  if (text.length > codeCharactersMax) return false;
  const isCode = ({ index }: HiddenCharacter): boolean => code.charAt(index) === text.charAt(index);
  return found.every((one) => one.kind !== "invisible" || (syntaxOf(file.language) !== null && isCode(one)));
}

function without(text: string, found: readonly HiddenCharacter[]): string {
  let kept = "";
  let at = 0;
  for (const { index, length } of found) {
    kept += text.slice(at, index);
    at = index + length;
  }
  return kept + text.slice(at);
}
