import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { hitFile, type Rule } from "#reviewers/rules/rule.ts";
import { syntaxOf } from "#reviewers/rules/syntax.ts";

export const hugeAddition: Rule = {
  name: "huge-addition",
  title: "File too large to review",
  score: 5,
  catches:
    "A file of code with more than 3,000 added lines, or any other text with more than 1 MiB of them. Generated, vendored and lock files, tests and snapshots are left alone.",
  example: "src/everything.ts, 4,200 lines added",
  scope: "written",
  applies: ({ diff, isTest }) => !isTest && diff.kind !== "deleted",
  check: (file) => (isHuge(file) ? [hitFile({ score: 5, message: messageFor(file) })] : []),
};

const codeLinesMax = 3_000;
const textBytesMax = 1024 * 1024;

function isHuge({ diff, language }: ChangedFile): boolean {
  return syntaxOf(language) === null
    ? diff.end - diff.start > textBytesMax && diff.addedLines > diff.removedLines
    : diff.addedLines > codeLinesMax;
}

function messageFor({ diff, language }: ChangedFile): string {
  const advice =
    syntaxOf(language) === null
      ? "Keep data of this size out of the repository (a release, a bucket, Git LFS), or make it in the build."
      : "Nobody reviews that much at once: split it by subject, or say in the description what made it and how to read it.";
  return `This change adds ${diff.addedLines} lines to one file. ${advice}`;
}
