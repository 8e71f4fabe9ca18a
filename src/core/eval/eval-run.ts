import type { EvalCase } from "#core/eval/eval-case.ts";
import type { Judged } from "#core/eval/judge-findings.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { Thresholds } from "#core/review/role-thresholds.ts";

export interface EvalRun {
  readonly configuration: string;
  readonly roles: readonly EvalRole[];
  readonly thresholds: Thresholds;
  readonly attempts: number;
  readonly cases: readonly CaseResult[];
  readonly ending: EvalEnding;
}

export interface EvalRole {
  readonly name: string;
  readonly reviewer: string;
  readonly blockingScore: number;
}

export type EvalEnding =
  | { readonly kind: "whole" }
  | (StoppedRun & { readonly why: Exclude<StoppedWhy, "budget"> })
  | (StoppedRun & { readonly why: "budget"; readonly shortage: Shortage });

interface StoppedRun {
  readonly kind: "stopped";
  readonly looksLeft: number;
  /** Cost of looks that were not finished. */
  readonly lostMicroUsd: number;
}

export type StoppedWhy =
  | "asked"
  | "budget"
  /** One look after the other failed, and the next ones would only fail as well. */
  | "failing";

export interface Shortage {
  readonly lookMicroUsd: number;
  /** The model's prices, or the dearest look until then. */
  readonly by: "prices" | "earlier_looks";
  /** Neither spent nor reserved for looks under way. */
  readonly leftMicroUsd: number;
}

export interface CaseResult {
  readonly case: EvalCase;
  /** Equal for equal cases: only those can be compared. */
  readonly digest: string;
  /** By attempt, then in the order of the roles. */
  readonly looks: readonly CasePass[];
}

export interface CasePass {
  readonly role: string;
  readonly attempt: number;
  readonly outcome: LookJudged;
  readonly spent: EvalCost;
}

export type LookJudged =
  | { readonly kind: "judged"; readonly judged: Judged; readonly unread: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

export interface EvalCost {
  readonly costMicroUsd: number;
  /** Their cost is not in the sum, or estimated where they broke off. */
  readonly unpricedCalls: number;
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  readonly ms: number;
  /** It was paid for in an earlier run whose answers were kept. */
  readonly isKept: boolean;
}

export function isBlockingIn(
  { roles, thresholds }: Pick<EvalRun, "roles" | "thresholds">,
  finding: RawFinding,
): boolean {
  const own = roles.find(({ name }) => name === finding.role)?.blockingScore;
  return finding.score >= (own ?? thresholds.blockingScore);
}
