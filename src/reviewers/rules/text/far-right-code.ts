import type { Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";
import { syntaxOf } from "#reviewers/rules/syntax.ts";

export const farRightCode: Rule = {
  name: "far-right-code",
  title: "Code beyond the edge of the screen",
  score: 8,
  catches:
    "Code that follows so many blanks that no editor and no forge shows it: a known way to hide something from reviewers. Tables, alignment and comments stay far below that.",
  example: "run();                …150 blanks…                steal();",
  scope: "written",
  applies: (file) => syntaxOf(file.language) !== null || ["shell", "yaml", "makefile"].includes(file.language),
  check: (file) => file.added.flatMap(farHit),
};

/** Wider than a screen, and far beyond any alignment. */
const gap = /\S(?<blanks>[ \t]{150,})(?=\S)/;

function farHit(line: Line): readonly Hit[] {
  const match = gap.exec(line.text);
  if (match === null) return [];
  const column = match.index + match[0].length + 1;
  const message = `There is code at column ${column} of this line, behind ${match.groups?.["blanks"]?.length ?? 0} blanks, where nobody sees it. Read it, and put it on a line of its own if it is meant.`;
  return [hitLine(line.number, { score: 8, message })];
}
