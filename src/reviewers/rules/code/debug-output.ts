import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { addedCode } from "#reviewers/rules/changed-file.ts";
import { isRemovable } from "#reviewers/rules/code/lone-statement.ts";
import { isToolingPath } from "#reviewers/rules/file-nature.ts";
import type { Language } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

/** Many programs print: only what is shaped like a look at a value while debugging counts. */
export const debugOutput: Rule = {
  name: "debug-output",
  title: "Debug output left in",
  score: 5,
  catches:
    "A `console.log` that shows a bare value or a value beside its own name, and one or a `print` with a word such as `here` or `debug`. Messages in whole sentences, errors, files that print anyway, and scripts, tools, tests, examples and command lines are left alone.",
  example: 'console.log("user", user);',
  scope: "written",
  applies: (file) => (file.language === "javascript" || file.language === "python") && isProduct(file),
  check: findDebugOutput,
};

const calls = {
  javascript: /^\s*console\.(?:log|debug|dir|trace)\((?<values>.*)\)\s*;?\s*$/,
  python: /^\s*print\((?<values>.*)\)\s*$/,
} as const;

/** `x`, `x.y`, `x[0]`, `x()`, `{ x }`, `JSON.stringify(x)`. */
const bareValue =
  /^(?:\{\s*[\w$]+(?:\s*,\s*[\w$]+)*\s*\}|(?:JSON\.stringify\()?[A-Za-z_$][\w$.[\]]*(?:\(\))?(?:,\s*null,\s*\d\))?\)?)$/;
/** Errors and messages are printed to be read. */
const isWords = /^(?:e|err|error|msg|message|text|line|output|usage|help|banner|report)$/i;
const labelled = /^(?<quote>["'`])[^\w]*(?<label>[\w$.]+)[^\w"'`]*\k<quote>\s*,\s*(?<value>[A-Za-z_$][\w$.[\]]*)$/;
const debugWord =
  /^["'`][^\w"'`]*(?:debug(?:ging)?|here|xxx+|asdf|wtf|got here|in here|todo)[^\w"'`]*["'`](?:\s*,.*)?$/i;
const selfNaming = /^f["']\{[\w.]+=\}["']$/;

function isProduct({ path, isTest, lines }: ChangedFile): boolean {
  return !isTest && !isToolingPath(path) && lines[0]?.text.startsWith("#!") !== true;
}

function findDebugOutput(file: ChangedFile): readonly Hit[] {
  const { language } = file;
  if (language !== "javascript" && language !== "python") return [];
  const candidates = addedCode(file).flatMap((line) => {
    const values = printed(language, line);
    return values === undefined || isAllowed(line) ? [] : [{ line, values }];
  });
  if (candidates.length === 0) return [];
  const manner = { language, isPrinter: isPrinter(file) };
  return candidates.filter(({ values }) => isDebugging(values, manner)).map(({ line }) => say(line, language));
}

function say(line: Line, language: Language): Hit {
  const message =
    "This looks like output for debugging that was left in. Remove it, or use the program's log with a message that says what happened.";
  return hitLine(line.number, { score: 5, message, suggestion: isRemovable(line, language) ? "" : null });
}

function printed(language: keyof typeof calls, { text, code }: Line): string | undefined {
  const isCode = language === "javascript" ? code.includes("console.") : code.includes("print(");
  return isCode ? calls[language].exec(text)?.groups?.["values"]?.trim() : undefined;
}

function isDebugging(
  values: string,
  { language, isPrinter: prints }: { readonly language: Language; readonly isPrinter: boolean },
): boolean {
  if (debugWord.test(values) || selfNaming.test(values)) return true;
  // A program in Python may print a value because that is what it is for.
  if (language !== "javascript") return false;
  const label = labelled.exec(values)?.groups;
  if (label !== undefined) return lastName(label["label"]) === lastName(label["value"]);
  return bareValue.test(values) && !isWords.test(values) && !prints;
}

/** A file that prints sentences, or printed before, is there to print. */
function isPrinter({ lines }: ChangedFile): boolean {
  return lines.some((line) => {
    const values = line.code.includes("console.") ? printed("javascript", line) : undefined;
    return values !== undefined && (!line.isAdded || !(bareValue.test(values) || labelled.test(values)));
  });
}

function lastName(name: string | undefined): string | undefined {
  return name
    ?.split(".")
    .findLast((part) => part !== "")
    ?.toLowerCase();
}

/** Somebody has thought about it already. */
function isAllowed({ text, before }: Line): boolean {
  const note = /no-console|noqa|biome-ignore/;
  return note.test(text) || (before !== undefined && note.test(before.text));
}
