import type { Defect } from "./fickle-model.ts";

/** What is wrong with the code of the stories about models, and how it is told, in words that have little in common. */

export const leak: Defect = {
  path: "src/orders.ts",
  code: "  const file = open(path);",
  tellings: [
    { rule: "resource-leak", message: "The file that is opened here stays open when reading it throws.", score: 8 },
    { rule: "unclosed-handle", message: "Each failed call costs one descriptor, and nobody returns it.", score: 6 },
    { rule: "missing-finally", message: "Put try and finally around what follows, or handles pile up.", score: 9 },
    { rule: "needless-finally", message: "No guard belongs here: finally would hide the first failure.", score: 7 },
  ],
};

export const race: Defect = {
  path: "src/orders.ts",
  code: "  if (!stock.has(id)) stock.set(id, load(id));",
  tellings: [
    { rule: "race", message: "Two callers may both miss the entry and load it twice.", score: 8 },
    { rule: "check-then-act", message: "Between asking and storing somebody else can come in.", score: 7 },
    { rule: "concurrency", message: "Without a lock the last writer wins, whoever that is.", score: 5 },
    { rule: "over-locking", message: "Take the guard away; nothing here runs side by side.", score: 7 },
  ],
};

export const injection: Defect = {
  path: "src/query.ts",
  code: "export const find = (name: string) => `select * from orders where name = '${name}'`;",
  tellings: [
    { rule: "sql-injection", message: "A name with a quote in it becomes part of the statement.", score: 9 },
    { rule: "unescaped-input", message: "Whatever users type reaches the database as code.", score: 10 },
    { rule: "string-building", message: "Use parameters instead of pasting text together.", score: 6 },
    { rule: "security", message: "Anybody can read all rows by choosing a clever search.", score: 8 },
  ],
};

export const offByOne: Defect = {
  path: "src/pages.ts",
  code: "  for (let at = 0; at <= pages.length; at++) show(pages[at]);",
  tellings: [
    { rule: "off-by-one", message: "The loop runs once too often and shows undefined.", score: 7 },
    { rule: "bounds", message: "At the end an element is read that does not exist.", score: 8 },
    { rule: "wrong-comparison", message: "Less than is meant, not less or equal.", score: 5 },
    { rule: "skipped-page", message: "With a smaller limit the last sheet would be lost.", score: 7 },
  ],
};

export const swallowed: Defect = {
  path: "src/pages.ts",
  code: "  } catch {\n    return [];\n  }",
  tellings: [
    { rule: "swallowed-error", message: "A broken file looks like an empty one to everybody.", score: 6 },
    { rule: "empty-catch", message: "Say what went wrong, at least to the log.", score: 5 },
    { rule: "error-handling", message: "Callers cannot tell trouble from nothing.", score: 7 },
    { rule: "noisy-error", message: "Better keep silent here: people are used to blanks.", score: 5 },
  ],
};

export const defects: readonly Defect[] = [leak, race, injection, offByOne, swallowed];

/** A file with lines around its defects, so that each has a place of its own. */
export function fileWith(code: readonly string[], before: readonly string[] = []): string {
  const rest = code.flatMap((lines, index) => [`  note("step ${index}");`, ...filler(index), lines]);
  return `${[...before, "export function run(path: string, id: string) {", ...rest, "  done();", "}"].join("\n")}\n`;
}

/** Enough of it that no quote reaches from one defect to the next. */
function filler(index: number): readonly string[] {
  return [1, 2, 3, 4].map((line) => `  count(${index * 10 + line});`);
}
