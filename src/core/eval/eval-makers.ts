import { encodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { EvalCase, Expected } from "#core/eval/eval-case.ts";
import type { CasePass, CaseResult, EvalCost, EvalRun } from "#core/eval/eval-run.ts";
import type { Judged } from "#core/eval/judge-findings.ts";
import type { RawFinding } from "#core/model/finding.ts";

/** A line with `-` was there before, one with `+` is new. */
export function changedFileDiff(path: string, lines: readonly string[]): Diff {
  const marked = lines.map((line) => (/^[-+]/.test(line) ? line : ` ${line}`));
  const counted = (sign: string): number => marked.filter((line) => !line.startsWith(sign)).length;
  const text = [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,${counted("+")} +1,${counted("-")} @@`,
    ...marked,
    "",
  ].join("\n");
  const parsed = parseDiff(encodeText(text));
  if (parsed.kind !== "diff") throw new Error(parsed.reason);
  return parsed.diff;
}

export function anEvalFinding(line: number, parts: Partial<RawFinding> = {}): RawFinding {
  return {
    role: "general",
    rule: "off-by-one",
    path: "src/a.ts",
    side: "new",
    lines: { first: line, last: line },
    snippet: `line ${line}`,
    message: "The last one is left out.",
    assessment: "",
    score: 7,
    suggestion: null,
    ...parts,
  };
}

export function anExpected(line: number, parts: Partial<Expected> = {}): Expected {
  const lines = { first: line, last: line };
  return {
    path: "src/a.ts",
    place: { kind: "lines", side: "new", lines, rows: { first: line - 1, last: line - 1 } },
    code: `line ${line}`,
    what: "The last one is left out.",
    rules: [],
    about: [],
    scoreMin: null,
    tags: [],
    ...parts,
  };
}

export function aCase(parts: Partial<EvalCase> = {}): EvalCase {
  return { name: "pages", title: "Pages", tags: [], expected: [anExpected(3)], accepted: [], ...parts };
}

export const nothingSpent: EvalCost = {
  costMicroUsd: 0,
  unpricedCalls: 0,
  tokensIn: 0,
  tokensCached: 0,
  tokensOut: 0,
  ms: 0,
  isKept: false,
};

export function aCasePass(judged: Partial<Judged>, parts: Partial<CasePass> = {}): CasePass {
  return {
    role: "general",
    attempt: 1,
    outcome: { kind: "judged", judged: { hits: [], accepted: [], wrong: [], ...judged }, unread: [] },
    spent: nothingSpent,
    ...parts,
  };
}

export function aResult(evalCase: EvalCase, looks: readonly CasePass[]): CaseResult {
  return { case: evalCase, digest: `digest of ${evalCase.name}`, looks };
}

export function anEvalRun(cases: readonly CaseResult[], parts: Partial<EvalRun> = {}): EvalRun {
  return {
    configuration: "the defaults",
    roles: [{ name: "general", reviewer: "rules", blockingScore: 7 }],
    thresholds: { problemScore: 5, blockingScore: 7 },
    attempts: 1,
    cases,
    ending: { kind: "whole" },
    ...parts,
  };
}

export function wrongOne(finding: RawFinding): Judged["wrong"][number] {
  return { finding, why: "unexpected" };
}
