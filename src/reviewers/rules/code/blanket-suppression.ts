import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import type { Language } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const blanketSuppression: Rule = {
  name: "blanket-suppression",
  title: "All warnings of a file switched off",
  score: 5,
  catches:
    "A comment that takes a whole file out of a linter or the type checker without naming what it is about: `/* eslint-disable */`, `// @ts-nocheck`, `# flake8: noqa`, `# mypy: ignore-errors`, `#![allow(warnings)]`. Suppressions that name their rule, or hold for one line, are left alone.",
  example: "// @ts-nocheck",
  scope: "written",
  applies: (file) => shapes[file.language] !== undefined,
  check: (file) => addedCode(file).flatMap((line) => suppressionHit(file, line)),
};

const shapes: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /^\s*(?:\/\*\s*(?:eslint|oxlint|tslint:)-?disable\s*\*\/|\/[/*]\s*@ts-nocheck\b.*)\s*$/,
  python:
    /^\s*#\s*(?:flake8:\s*noqa|ruff:\s*noqa|mypy:\s*ignore-errors|pylint:\s*disable=all|pylint:\s*skip-file|type:\s*ignore-file)\s*$/,
  rust: /^\s*#!\[allow\(\s*(?:warnings|clippy::all)\s*\)\]\s*$/,
};

function suppressionHit(file: ChangedFile, line: Line): readonly Hit[] {
  if (shapes[file.language]?.test(line.text) !== true || isInText(line)) return [];
  const message = `${codeSpan(line.text.trim().slice(0, 80))} switches off every warning of this file, the ones of tomorrow too. Fix what it hides, or suppress the one rule on the lines that need it.`;
  return [hitLine(line.number, { score: 5, message })];
}

/** In a long string, the line above opens it or is words without code and comment. */
function isInText({ before }: Line): boolean {
  if (before === undefined || before.text.trim() === "") return false;
  const isWords = before.code.trim() === "" && !/^\s*(?:\/\/|\/?\*|#)/.test(before.text);
  return isWords || /(?:`|"""|''')$/.test(before.code.trimEnd());
}
