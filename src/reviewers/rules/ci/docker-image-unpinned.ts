import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const dockerImageUnpinned: Rule = {
  name: "docker-image-unpinned",
  title: "Base image without a version",
  score: 5,
  catches:
    "`FROM` with `latest` or without any tag, so that each build may be another one. Tags, digests, `scratch`, earlier stages and images named by a variable are left alone.",
  example: "FROM node:latest",
  scope: "written",
  applies: (file) => file.language === "dockerfile",
  check: findUnpinned,
};

const from = /^\s*FROM\s+(?:--\S+\s+)*(?<image>\S+)(?:\s+AS\s+(?<stage>\S+))?/i;

function findUnpinned(file: ChangedFile): readonly Hit[] {
  const stages = new Set(file.lines.map((line) => from.exec(line.text)?.groups?.["stage"]?.toLowerCase()));
  return addedCode(file).flatMap((line) => imageHit(line, stages));
}

function imageHit(line: Line, stages: ReadonlySet<string | undefined>): readonly Hit[] {
  const image = from.exec(line.text)?.groups?.["image"];
  if (image === undefined || image.includes("$") || image.toLowerCase() === "scratch") return [];
  if (stages.has(image.toLowerCase()) || !isUnpinned(image)) return [];
  const message = `${codeSpan(image)} is another image from one build to the next. Name a version, or best a digest.`;
  return [hitLine(line.number, { score: 5, message })];
}

/** A colon before the last slash is the port of a registry. */
function isUnpinned(image: string): boolean {
  const name = image.slice(image.lastIndexOf("/") + 1);
  return !image.includes("@sha256:") && (!name.includes(":") || name.endsWith(":latest"));
}
