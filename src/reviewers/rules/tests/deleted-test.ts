import { codeSpan } from "#core/words/plain-text.ts";
import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { baseName, folderOf } from "#reviewers/rules/language.ts";
import { type Hit, hitFile, type Rule } from "#reviewers/rules/rule.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

export const deletedTest: Rule = {
  name: "deleted-test",
  title: "Tests deleted, their subject kept",
  score: 6,
  catches:
    "A deleted file of tests (`x.test.ts`, `x_test.go`, `x_spec.rb`, `test_x.py`) whose subject is still there beside it, while no file of tests of that name came in elsewhere. Tests that were moved, or went with their subject, are left alone.",
  example: "src/price.test.ts deleted, src/price.ts kept",
  scope: "written",
  applies: (file) => file.diff.kind === "deleted" && subjectsOf(file.path).length > 0,
  check: findLostTests,
};

async function findLostTests(file: ChangedFile, change: RuleContext): Promise<readonly Hit[]> {
  if (change.names.has(baseName(file.path))) return [];
  for (const subject of subjectsOf(file.path)) {
    if (!change.paths.has(subject) && (await change.readText("new", subject)) === null) continue;
    const message = `These tests are deleted, but ${codeSpan(subject)}, which they are about, stays. Keep them, or say in the description what covers it now.`;
    return [hitFile({ score: 6, message }, "old")];
  }
  return [];
}

function subjectsOf(path: string): readonly string[] {
  const folder = folderOf(path);
  const parents = /(?:^|\/)__tests__$/.test(folder) ? [folder, folderOf(folder)] : [folder];
  const subject = subjectName(baseName(path));
  return subject === null ? [] : parents.map((parent) => (parent === "" ? subject : `${parent}/${subject}`));
}

function subjectName(name: string): string | null {
  const dotted = /^(?<stem>.+)\.(?:test|spec)\.(?<ending>[cm]?[jt]sx?)$/.exec(name)?.groups;
  if (dotted !== undefined) return `${dotted["stem"]}.${dotted["ending"]}`;
  const underscored = /^(?<stem>.+)_(?:test\.(?<go>go)|spec\.(?<rb>rb))$/.exec(name)?.groups;
  if (underscored !== undefined) return `${underscored["stem"]}.${underscored["go"] ?? underscored["rb"]}`;
  const python = /^test_(?<stem>.+)\.py$/.exec(name)?.groups;
  return python === undefined ? null : `${python["stem"]}.py`;
}
