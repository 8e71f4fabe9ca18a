import { encodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { HeadSha } from "#core/model/ids.ts";
import type { ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import type { Rule } from "#reviewers/rules/rule.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";

/** For tests alone. */

/** As in a diff, `+`, `-` or a blank before each line. The hunk is the whole file. */
export interface FileSketch {
  readonly path: string;
  readonly lines: readonly string[];
  readonly oldPath?: string;
  readonly kind?: "added" | "deleted" | "modified" | "binary" | "mode_changed";
  readonly oldMode?: string;
  readonly newMode?: string;
}

export function newFile(path: string, ...lines: readonly string[]): FileSketch {
  return { path, kind: "added", lines: lines.map((line) => `+${line}`) };
}

export function changedFile(path: string, ...lines: readonly string[]): FileSketch {
  return { path, kind: "modified", lines };
}

export function deletedFile(path: string, ...lines: readonly string[]): FileSketch {
  return { path, kind: "deleted", lines: lines.map((line) => `-${line}`) };
}

export function binaryFile(path: string, newMode = "100644"): FileSketch {
  return { path, kind: "binary", lines: [], newMode };
}

export function aJob(files: readonly FileSketch[], others: Readonly<Record<string, string>> = {}): ReviewJob {
  const texts = new Map(Object.entries(others).map(([path, text]) => [`new:${path}`, text]));
  for (const file of files) {
    const sides = { old: side(file, "+"), new: side(file, "-") };
    if (file.kind !== "added") texts.set(`old:${file.oldPath ?? file.path}`, sides.old);
    if (file.kind !== "deleted") texts.set(`new:${file.path}`, sides.new);
  }
  return {
    role: "general",
    head: HeadSha.parse("a".repeat(40)),
    baseBranch: "main",
    diff: encodeText(files.map(diffText).join("")),
    readFile: (which, path) => {
      const text = texts.get(`${which}:${path}`);
      return Promise.resolve(text === undefined ? null : encodeText(text));
    },
    excludedPaths: [],
    signal: new AbortController().signal,
  };
}

export function reviewWithRules(job: ReviewJob, rules?: readonly Rule[]): Promise<ReviewOutcome> {
  return rulesReviewer(rules).review(job);
}

export async function findingsOf(
  rules: Rule | readonly Rule[] | undefined,
  files: readonly FileSketch[],
  others: Readonly<Record<string, string>> = {},
): Promise<readonly RawFinding[]> {
  const list = rules === undefined || "name" in rules ? rules && [rules] : rules;
  const outcome = await reviewWithRules(aJob(files, others), list);
  if (outcome.kind !== "completed") throw new Error(`${outcome.kind}: ${outcome.why}`);
  return outcome.findings;
}

export async function placesOf(
  rule: Rule,
  files: readonly FileSketch[],
  others: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const findings = await findingsOf(rule, files, others);
  return findings.map(({ lines, snippet, score }) => {
    const place =
      snippet === "" ? "file" : lines.first === lines.last ? `${lines.first}` : `${lines.first}-${lines.last}`;
    return score === rule.score ? place : `${place} score ${score}`;
  });
}

export function parsed(job: ReviewJob): Diff {
  const outcome = parseDiff(job.diff);
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

function side(file: FileSketch, without: string): string {
  return file.lines
    .filter((line) => !line.startsWith(without))
    .map((line) => `${line.slice(1)}\n`)
    .join("");
}

function diffText(file: FileSketch): string {
  const { path, lines, kind = "modified" } = file;
  const oldPath = file.oldPath ?? path;
  const head = [`diff --git a/${oldPath} b/${path}`, ...modeLines(file)];
  if (oldPath !== path) head.push("similarity index 90%", `rename from ${oldPath}`, `rename to ${path}`);
  if (kind === "binary") head.push("index 1111111..2222222", `Binary files a/${oldPath} and b/${path} differ`);
  else if (lines.length > 0) head.push(...hunk(file, oldPath));
  return head.map((line) => `${line}\n`).join("");
}

function modeLines({ kind, oldMode, newMode = "100644" }: FileSketch): readonly string[] {
  if (kind === "added") return [`new file mode ${newMode}`];
  if (kind === "deleted") return [`deleted file mode ${oldMode ?? "100644"}`];
  return oldMode === undefined ? [] : [`old mode ${oldMode}`, `new mode ${newMode}`];
}

function hunk({ kind, path, lines }: FileSketch, oldPath: string): readonly string[] {
  const count = (without: string): number => lines.filter((line) => !line.startsWith(without)).length;
  return [
    `--- ${kind === "added" ? "/dev/null" : `a/${oldPath}`}`,
    `+++ ${kind === "deleted" ? "/dev/null" : `b/${path}`}`,
    `@@ -${range(count("+"))} +${range(count("-"))} @@`,
    ...lines,
  ];
}

function range(lineCount: number): string {
  return lineCount === 0 ? "0,0" : `1,${lineCount}`;
}
