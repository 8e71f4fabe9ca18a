import { codeSpan } from "#core/words/plain-text.ts";
import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { addedCode } from "#reviewers/rules/changed-file.ts";
import { isRemovable } from "#reviewers/rules/code/lone-statement.ts";
import type { Language } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const debuggerStatement: Rule = {
  name: "debugger-statement",
  title: "Debugger left in",
  score: 7,
  catches:
    "Statements that stop in a debugger or dump a value and are of no use in finished code: `debugger`, `breakpoint()`, `pdb.set_trace()`, `binding.pry`, `byebug`, `dbg!`, `var_dump`, `dd`, `Debugger.Break`.",
  example: "import pdb; pdb.set_trace()",
  scope: "written",
  applies: (file) => shapes[file.language] !== undefined,
  check: (file) => addedCode(file).flatMap((line) => debuggerHit(file, line)),
};

/** `name` is what is left; a line with anything else is not deleted. */
const shapes: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /(?:^|[;{}])\s*(?<name>debugger)\s*(?:;|\}|$)/,
  python: /(?:^|;)\s*(?:import\s+\w+\s*;\s*)?(?<name>(?:i?pdb|pudb|wdb)\.set_trace|breakpoint)\(\)\s*;?\s*$/,
  ruby: /^\s*(?<name>binding\.(?:pry|irb|break)|byebug|debugger)\s*$/,
  rust: /(?<![\w.])(?<name>dbg!)\s*\(/,
  php: /(?:^|[;{}])\s*(?<name>var_dump|dd|xdebug_break)\s*\(/,
  braces: /(?<![\w.])(?<name>(?:System\.Diagnostics\.)?Debugger\.(?:Break|Launch))\(\)/,
};

const wholeLine: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /^\s*debugger\s*;?\s*$/,
  python: /^\s*(?:import\s+\w+\s*;\s*)?(?:\w+\.set_trace|breakpoint)\(\)\s*;?\s*$/,
};

function debuggerHit(file: ChangedFile, line: Line): readonly Hit[] {
  const name = shapes[file.language]?.exec(line.code)?.groups?.["name"];
  if (name === undefined) return [];
  const isWhole = wholeLine[file.language]?.test(line.text) === true;
  const message = `${codeSpan(name)} was left in: it is for debugging and stops or clutters the program. Remove it.`;
  const suggestion = isWhole && isRemovable(line, file.language) ? "" : null;
  return [hitLine(line.number, { score: 7, message, suggestion })];
}
