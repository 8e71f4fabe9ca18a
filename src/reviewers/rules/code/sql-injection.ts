import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import { isToolingPath } from "#reviewers/rules/file-nature.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const sqlInjection: Rule = {
  name: "sql-injection",
  title: "Value put into an SQL statement",
  score: 7,
  catches:
    "A value put into the text of a statement in a call such as `query`, `execute` or `raw`: by a template, an f-string, `+`, `%` or `format`. Tagged templates (`sql`…), parameters, constants in capitals and names of tables or columns are left alone, and so are tests and tools.",
  example: "db.query(`SELECT * FROM users WHERE id = ${id}`)",
  scope: "written",
  applies: (file) => !file.isTest && !isToolingPath(file.path) && ["javascript", "python"].includes(file.language),
  check: (file) => addedCode(file).flatMap((line) => sqlHit(file, line)),
};

const call = /\.(?:query|execute|executemany|raw|unsafe|\$queryRawUnsafe|\$executeRawUnsafe)\(\s*/g;
/** At least two words of a statement, in the usual order. */
const statement = /^(?:select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from)\b/i;
const constant = /^[A-Z][A-Z0-9_]*$/;
/** No parameter can stand for these parts. */
const structural =
  /(?:table|column|col|schema|field|placeholder|param|orderby|order|sort|direction|where|clause|condition|limit|offset|prefix|sql|identifier)(?:s|names?|list)?(?:\.join\(.*\))?$/i;
const quoting = /^[\w.]*(?:quote|escape|ident)\w*\(/i;

function sqlHit(file: ChangedFile, line: Line): readonly Hit[] {
  const isFound = Array.from(line.code.matchAll(call)).some((match) =>
    holdsValue(file, line, match.index + match[0].length),
  );
  if (!isFound) return [];
  const message =
    "A value becomes part of the text of an SQL statement: a quote in it would change what the statement does. Pass it as a parameter (`$1`, `?`, `%s`) instead.";
  return [hitLine(line.number, { score: 7, message })];
}

function holdsValue({ language }: ChangedFile, { text, code }: Line, from: number): boolean {
  const opened = /^(?:f|F)?(["'`])/.exec(text.slice(from));
  const mark = opened?.[1];
  if (opened === null || mark === undefined) return false;
  const start = from + opened[0].length;
  if (!statement.test(text.slice(start))) return false;
  if (mark === "`") return interpolations(text.slice(start), /\$\{([^{}]*)\}/g).some(isValue);
  if (language === "python" && opened[0].length > 1)
    return interpolations(text.slice(start), /\{([^{}]+)\}/g).some(isValue);
  return isAddedTo({ text, code, start, mark });
}

function interpolations(text: string, shape: RegExp): readonly string[] {
  return Array.from(text.matchAll(shape), (match) => (match[1] ?? "").trim());
}

function isValue(expression: string): boolean {
  return ![/^$/, constant, structural, quoting].some((shape) => shape.test(expression));
}

/** The string ends, and a value follows with `+`, `%` or `.format(`. */
function isAddedTo({
  code,
  start,
  mark,
}: {
  readonly text: string;
  readonly code: string;
  readonly start: number;
  readonly mark: string;
}): boolean {
  const close = code.indexOf(mark, start);
  if (close === -1) return false;
  const value = /^\s*(?:\+\s*|%\s*\(?\s*|\.format\(\s*)(?<value>[\w$.]+)/.exec(code.slice(close + 1))?.groups?.[
    "value"
  ];
  return value !== undefined && isValue(value);
}
