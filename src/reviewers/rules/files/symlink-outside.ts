import { codeSpan } from "#core/words/plain-text.ts";
import type { ChangedFile, Line } from "#reviewers/rules/changed-file.ts";
import { folderOf } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const symlinkOutside: Rule = {
  name: "symlink-outside",
  title: "Link that leaves the repository",
  score: 8,
  catches:
    "A symbolic link to an absolute path, out of the repository or into `.git`: it is broken for others at best, and at worst makes tools read or write files of the machine. Links within the repository are left alone.",
  example: "config -> /etc/passwd",
  scope: "everything",
  applies: ({ diff }) => diff.newMode === "120000" && diff.kind !== "deleted",
  check: (file) => file.added.flatMap((line) => linkHit(file, line)),
};

function linkHit(file: ChangedFile, { number, text }: Line): readonly Hit[] {
  const why = problemOf(file.path, text);
  if (why === null) return [];
  const message = `This link points to ${codeSpan(text.slice(0, 200))}, ${why}. Link to a file of the repository, or copy what is needed.`;
  return [hitLine(number, { score: 8, message })];
}

function problemOf(path: string, target: string): string | null {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(target)) return "which is a place on somebody's machine";
  const place = folderOf(path)
    .split("/")
    .filter((part) => part !== "");
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") place.push(part);
    else if (place.pop() === undefined) return "which lies outside of the repository";
  }
  return place.includes(".git") ? "which belongs to git itself" : null;
}
