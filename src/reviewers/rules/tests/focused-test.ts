import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { addedCode } from "#reviewers/rules/changed-file.ts";
import type { Language } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const focusedTest: Rule = {
  name: "focused-test",
  title: "Focused test",
  score: 8,
  catches:
    "A mark that makes the runner leave out all other tests: `.only`, `fit`, `fdescribe` (JavaScript, Ruby), `FIt` (Ginkgo), `focus: true` (RSpec), `@pytest.mark.only`. In files of tests alone.",
  example: 'it.only("adds", () => {',
  scope: "written",
  applies: (file) => file.isTest && focusOf[file.language] !== undefined,
  check: (file) => addedCode(file).flatMap((line) => focusHit(file, line)),
};

type Unfocus = (line: Line) => string | null;

const focusOf: Readonly<Partial<Record<Language, Unfocus>>> = {
  javascript: (line) => replaceInCode(line, [jsOnly, jsPrefix]),
  go: (line) => replaceInCode(line, [ginkgoPrefix]),
  ruby: (line) => replaceInCode(line, [rubyPrefix, rubyOption]),
  python: ({ text }) => (/^\s*@pytest\.mark\.only(?:\(\))?\s*$/.test(text) ? "" : null),
};

/** The group `focus` is what goes. Searched in the code: strings and comments do not count. */
const jsOnly =
  /(?<![\w.$])(?:describe|context|suite|it|test|specify)(?:\.(?!only\b)\w+)*(?<focus>\.only)(?=\s*[(.`<])/dg;
const jsPrefix = /(?<![\w.$])(?<focus>f)(?:describe|context|it)\s*\(\s*(?=["'`])/dg;
const ginkgoPrefix = /(?<![\w.])(?<focus>F)(?:Describe|DescribeTable|Context|When|It|Specify|Entry)\(\s*(?=["`])/dg;
const rubyPrefix = /^\s*(?<focus>f)(?:describe|context|it|specify|example)\b\s*\(?\s*(?=["'])/dg;
const rubyOption = /(?<focus>,\s*(?:focus:\s*true|:focus))(?=\s*(?:,|\)|do\b|\{))/dg;

function replaceInCode(line: Line, shapes: readonly RegExp[]): string | null {
  const spans = shapes.flatMap((shape) =>
    Array.from(line.code.matchAll(shape), (match) => match.indices?.groups?.["focus"]).filter(
      (span) => span !== undefined,
    ),
  );
  if (spans.length === 0) return null;
  spans.sort(([one], [other]) => other - one);
  return spans.reduce((text, [from, to]) => text.slice(0, from) + text.slice(to), line.text);
}

function focusHit(file: ChangedFile, line: Line): readonly Hit[] {
  const without = focusOf[file.language]?.(line) ?? null;
  if (without === null) return [];
  const message =
    "This test is focused: the runner leaves out every other test, and the suite stays green whatever they would say. Remove the focus.";
  return [hitLine(line.number, { score: 8, message, suggestion: without })];
}
