import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { addedCode } from "#reviewers/rules/changed-file.ts";
import { isToolingPath } from "#reviewers/rules/file-nature.ts";
import type { Hit, Rule } from "#reviewers/rules/rule.ts";

export const swallowedError: Rule = {
  name: "swallowed-error",
  title: "Error swallowed in silence",
  score: 5,
  catches:
    "A `catch` that names the error and does nothing, and `except:` or `except Exception:` with nothing but `pass`, outside of tests and tools. A comment in it, a name such as `_` or `ignored`, or a narrower exception in Python is enough.",
  example: "try { save(); } catch (error) {}",
  scope: "written",
  applies: (file) =>
    !file.isTest && !isToolingPath(file.path) && ["javascript", "braces", "php", "python"].includes(file.language),
  check: (file) => addedCode(file).flatMap((line) => swallowHit(file, line)),
};

/** No name, `_` or `ignored` says that it is meant. */
const emptyCatch = /\bcatch\s*\((?!\s*_|[^()]*\bignored?\b)[^()]{1,200}\)\s*\{\s*\}/;
const openCatch = /\bcatch\s*\((?!\s*_|[^()]*\bignored?\b)[^()]{1,200}\)\s*\{\s*$/;
const emptyExcept = /^\s*except(?:\s+(?:Base)?Exception(?:\s+as\s+\w+)?)?\s*:\s*(?:pass|\.\.\.)\s*$/;
const openExcept = /^\s*except(?:\s+(?:Base)?Exception(?:\s+as\s+\w+)?)?\s*:\s*$/;

function swallowHit(file: ChangedFile, line: Line): readonly Hit[] {
  const last = file.language === "python" ? lastOfExcept(line) : lastOfCatch(line);
  if (last === null) return [];
  const message =
    "Whatever goes wrong here vanishes without a trace. Handle it, log it or let it through; if it may really be ignored, catch only that error and say why in a comment.";
  return [{ place: { kind: "lines", first: line.number, last }, score: 5, message, suggestion: null }];
}

/** A comment counts, so the text must be empty; the code must hold the word. */
function lastOfCatch({ number, text, code, after }: Line): number | null {
  if (!/\bcatch\b/.test(code)) return null;
  if (emptyCatch.test(text)) return number;
  return openCatch.test(text) && after?.isAdded === true && /^\s*\}/.test(after.text) ? number + 1 : null;
}

function lastOfExcept({ number, text, code, after }: Line): number | null {
  if (!/^\s*except\b/.test(code)) return null;
  if (emptyExcept.test(text)) return number;
  return openExcept.test(text) && after?.isAdded === true && /^\s*(?:pass|\.\.\.)\s*$/.test(after.text)
    ? number + 1
    : null;
}
