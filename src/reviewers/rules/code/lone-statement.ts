import type { Line } from "#reviewers/rules/changed-file.ts";
import type { Language } from "#reviewers/rules/language.ts";

/**
 * Whether a line that holds one whole statement can be deleted, and the code around it stays what it was. Not where it
 * is all that a block or a condition has, which would then take the next statement, or nothing at all.
 */
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

/** The nearest line that has code. */
function neighbour(line: Line, direction: "before" | "after"): Line | undefined {
  let next = line[direction];
  for (let steps = 0; steps < stepsMax && next !== undefined && next.code.trim() === ""; steps += 1)
    next = next[direction];
  return next;
}

/** A longer comment than this is not looked over. */
const stepsMax = 50;

function indentOf(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? "";
}
