import { readFile } from "node:fs/promises";
import { type SetCase } from "#app/eval/read-case.ts";
import { compareText } from "#core/compare-text.ts";
import { type EvalCost } from "#core/eval/eval-run.ts";
import { RawFinding } from "#core/model/finding.ts";
import { HeadSha } from "#core/model/ids.ts";
import { type ReviewRules } from "#core/model/rules.ts";
import { anchorFindings } from "#core/review/anchor-findings.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { passWords } from "#core/words/pass-words.ts";
import { type ChangeView } from "#ports/change-view.ts";
import { type ModelCall } from "#ports/model.ts";
import { type Reviewer, type ReviewJob } from "#ports/reviewer.ts";
import { openView, pathsFrom } from "#ports/view-source.ts";

export function viewCase({ trees }: SetCase): Pick<ChangeView, "readFile" | "repository"> {
  const all = [...(trees.new?.keys() ?? [])].toSorted(compareText);
  const view = openView({
    readFile: async (side, path, bytesMax) => {
      const place = trees[side]?.get(path);
      if (place === undefined) return null;
      const bytes = new Uint8Array(await readFile(place));
      return bytes.length > bytesMax ? null : bytes;
    },
    listFiles: async (folder, pathsMax) => {
      const listed = pathsFrom(all, folder === "" ? "" : `${folder}/`, pathsMax);
      return folder !== "" && listed.paths.length === 0 ? null : listed;
    },
    history: async () => [],
  });
  return trees.new === null ? { readFile: view.readFile } : view;
}

export interface CaseAnswer {
  readonly outcome:
    | { readonly kind: "answered"; readonly findings: readonly RawFinding[]; readonly unread: readonly string[] }
    | { readonly kind: "failed" | "unreadable"; readonly why: string };
  readonly spent: EvalCost;
}

export interface ReviewCaseOptions {
  readonly setCase: SetCase;
  readonly role: string;
  readonly reviews: ReviewRules;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export function caseJob({ setCase, role, reviews, signal }: ReviewCaseOptions): ReviewJob {
  return {
    role,
    brief: briefOf(reviews, role),
    // There is no commit: the digest has the length of a SHA-256 commit and also identifies the change.
    head: HeadSha.parse(setCase.seenDigest),
    baseBranch: "main",
    diff: setCase.diff.bytes,
    about: setCase.about,
    excludedPaths: reviews.excludedPaths,
    signal,
    ...viewCase(setCase),
  };
}

export async function reviewCase(reviewer: Reviewer, options: ReviewCaseOptions): Promise<CaseAnswer> {
  const { setCase, role, now } = options;
  const calls: ModelCall[] = [];
  const startedAt = now();
  const outcome = await reviewer.review({ ...caseJob(options), onCall: (call) => calls.push(call) });
  const spent = spentOn(calls, { costMicroUsd: outcome.costMicroUsd ?? 0, ms: Math.round(now() - startedAt) });
  if (outcome.kind !== "completed") return { outcome: { kind: outcome.kind, why: outcome.why }, spent };
  const findings = outcome.findings.map((finding) => ({ ...finding, role }));
  if (!findings.every((finding) => RawFinding.safeParse(finding).success)) {
    return { outcome: { kind: "unreadable", why: passWords.malformedFindings }, spent };
  }
  const unread = outcome.coverage.unread.filter(({ why }) => why !== "excluded").map(({ path }) => path);
  return { outcome: { kind: "answered", findings: anchorFindings(setCase.diff, findings), unread }, spent };
}

function spentOn(calls: readonly ModelCall[], whole: Pick<EvalCost, "costMicroUsd" | "ms">): EvalCost {
  const sum = (key: "tokensIn" | "tokensCached" | "tokensOut"): number =>
    calls.reduce((total, call) => total + call[key], 0);
  return {
    costMicroUsd: whole.costMicroUsd,
    unpricedCalls: calls.filter(({ isPriced }) => !isPriced).length,
    tokensIn: sum("tokensIn"),
    tokensCached: sum("tokensCached"),
    tokensOut: sum("tokensOut"),
    ms: whole.ms,
    isKept: false,
  };
}
