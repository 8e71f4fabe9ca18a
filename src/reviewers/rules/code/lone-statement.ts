import type { Line } from "#reviewers/rules/changed-file.ts";
import type { Language } from "#reviewers/rules/language.ts";

/** Not where it is all that a block or condition has: that would then take the next statement, or nothing. */
export function isRemovable(line: Line, language: Language): boolean {
  return language === "python" ? isOneOfSeveral(line) : !hangsOnLineAbove(line);
}

/** In Python a block ends where the indentation does: there must be another statement at the same one. */
function isOneOfSeveral(line: Line): boolean {
  const own = indentOf(line.text);
  const above = neighbour(line, "before");
  const below = neighbour(line, "after");
  const isFirst = above !== undefined && /[:(,[{\\]\s*$/.test(above.code.trimEnd());
  return above !== undefined && (!isFirst || (below !== undefined && indentOf(below.text) === own));
}

/** A condition without braces, or an expression that goes on. */
function hangsOnLineAbove(line: Line): boolean {
  const above = neighbour(line, "before");
  return above === undefined ? line.number > 1 : !/[;{}]\s*$/.test(above.code.trimEnd());
}

function neighbour(line: Line, direction: "before" | "after"): Line | undefined {
  let next = line[direction];
  for (let steps = 0; steps < stepsMax && next !== undefined && next.code.trim() === ""; steps += 1)
    next = next[direction];
  return next;
}

/** Longer comments end the search. */
const stepsMax = 50;

function indentOf(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? "";
}
