import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { addedCode } from "#reviewers/rules/changed-file.ts";
import type { Language } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const skippedTest: Rule = {
  name: "skipped-test",
  title: "Test switched off without a reason",
  score: 5,
  catches:
    "A test that a change switches off for good: `it.skip`, `xit`, `@pytest.mark.skip`, `@unittest.skip`, `#[ignore]`, `@Disabled`, `@Ignore`. Conditional skips, and those with a reason or a link beside or above them, are left alone.",
  example: 'it.skip("adds", () => {',
  scope: "written",
  applies: (file) => (file.isTest || file.language === "rust") && shapes[file.language] !== undefined,
  check: (file) => addedCode(file).flatMap((line) => skipHit(file, line)),
};

const shapes: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript:
    /(?<![\w.$])(?:(?:describe|context|suite|it|test|specify)(?:\.(?!skip\b)\w+)*\.skip|x(?:describe|context|it|test))\s*\(\s*(?=["'`])/,
  python: /^\s*@(?:pytest\.mark\.skip|unittest\.skip)\s*(?:\(\s*\))?\s*$/,
  rust: /^\s*#\[ignore\]\s*$/,
  braces: /^\s*@(?:Disabled|Ignore)\s*(?:\(\s*\))?\s*$/,
  ruby: /^\s*x(?:describe|context|it|specify)\b\s*\(?\s*(?=["'])/,
};

/** A number, a ticket, an address or a sentence says why. */
const reason = /#\d+|https?:\/\/|\b[A-Z]{2,10}-\d+\b/;
const comment = /(?:\/\/|\/\*|#)\s*\S+ \S+ \S+/;

function skipHit(file: ChangedFile, line: Line): readonly Hit[] {
  if (shapes[file.language]?.test(line.code) !== true || isExplained(line) || isExplained(line.before)) return [];
  const message =
    "This test is switched off, and nothing says why or until when. Fix or remove it, or write the reason beside it, best with a link to the issue that brings it back.";
  return [hitLine(line.number, { score: 5, message })];
}

function isExplained(line: Line | undefined): boolean {
  return line !== undefined && (reason.test(line.text) || comment.test(line.text));
}
