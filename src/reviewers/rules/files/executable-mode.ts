import { codeSpan } from "#core/words/plain-text.ts";
import { type ChangedFile, isNewPath } from "#reviewers/rules/changed-file.ts";
import { endingOf } from "#reviewers/rules/language.ts";
import { hitFile, type Rule } from "#reviewers/rules/rule.ts";

export const executableMode: Rule = {
  name: "executable-mode",
  title: "Executable bit on a file that cannot run",
  score: 5,
  catches:
    "A file that becomes executable though nothing can run it: text, data, images, sources of compiled languages. It mostly comes from a file system that knows no modes. Scripts are left alone.",
  example: "README.md: mode 100644 to 100755",
  scope: "everything",
  applies: (file) => becomesExecutable(file) && neverRuns.has(endingOf(file.path)),
  check: (file) => [hitFile({ score: 5, message: messageFor(file) })],
};

const neverRuns: ReadonlySet<string> = new Set(
  "md markdown rst txt json yml yaml toml xml csv svg png jpg jpeg gif ico webp pdf css scss less html lock ini java kt c h cc cpp hpp cs go rs swift sql proto ttf woff woff2".split(
    " ",
  ),
);

function becomesExecutable(file: ChangedFile): boolean {
  const { oldMode, newMode, kind } = file.diff;
  return newMode === "100755" && (oldMode === "100644" || (isNewPath(file) && kind === "added"));
}

function messageFor({ path }: ChangedFile): string {
  return `${codeSpan(path)} becomes executable, but nothing can run it. Take the bit away: \`git update-index --chmod=-x\`.`;
}
