import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import { isToolingPath } from "#reviewers/rules/file-nature.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const evalOfValue: Rule = {
  name: "eval-of-value",
  title: "Text run as code",
  score: 6,
  catches:
    "`eval`, `new Function` and Python's `exec` with anything but a fixed text. Methods of that name (`model.eval()`, `pattern.exec(…)`), tests and tools are left alone.",
  example: "const result = eval(expression);",
  scope: "written",
  applies: (file) =>
    !file.isTest && !isToolingPath(file.path) && ["javascript", "python", "php"].includes(file.language),
  check: (file) => addedCode(file).flatMap((line) => evalHit(file, line)),
};

/** A whole argument that can be read here. A text over several lines is left to people. */
const fixedTexts = {
  javascript: /^(?:\)|(["'`])\s*\1\s*\)|`[^$]*$)/,
  python: /^(?:\)|("""|'''|["'])\s*\1\s*[,)]|(?:"""|''').*$)/,
  php: /^(["'])\s*\1\s*\)/,
} as const;
const shapes = {
  javascript: /(?<![\w$.])(?<name>eval|new\s+Function)\s*\(\s*/g,
  python: /(?<![\w.])(?<!def\s)(?<!class\s)(?<name>eval|exec)\(\s*/g,
  php: /(?<![\w$>:\\])(?<!function\s)(?<name>eval)\s*\(\s*/g,
} as const;

function evalHit({ language }: ChangedFile, { number, code }: Line): readonly Hit[] {
  if (language !== "javascript" && language !== "python" && language !== "php") return [];
  const match = Array.from(code.matchAll(shapes[language])).find(
    (one) =>
      !fixedTexts[language].test(code.slice(one.index + one[0].length)) && code.length > one.index + one[0].length,
  );
  if (match === undefined || isDeclared(code, match.index)) return [];
  const name = match.groups?.["name"] ?? "";
  const message = `${codeSpan(name)} runs whatever the text says, with all rights of this program. Parse the value, or choose among functions by name, instead of running it.`;
  return [hitLine(number, { score: 6, message })];
}

/** A method or function that merely has this name. */
function isDeclared(code: string, index: number): boolean {
  return (
    /(?:\bfunction|\basync|\bstatic|\bget|\bset)\s*$/.test(code.slice(Math.max(0, index - 20), index)) ||
    /\)\s*\{\s*$/.test(code)
  );
}
