import type { EvalCase } from "#core/eval/eval-case.ts";
import type { Judged } from "#core/eval/judge-findings.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { Thresholds } from "#core/review/role-thresholds.ts";

/** One configuration, run over a set of cases. */
export interface EvalRun {
  /** For people: the name of its file. */
  readonly configuration: string;
  readonly roles: readonly EvalRole[];
  /** Of all roles; a role may have its own. */
  readonly thresholds: Thresholds;
  /** How often each case was to be looked at. */
  readonly attempts: number;
  readonly cases: readonly CaseResult[];
  readonly ending: EvalEnding;
}

export interface EvalRole {
  readonly name: string;
  /** What kind of reviewer plays it. */
  readonly reviewer: string;
  readonly blockingScore: number;
}

export type EvalEnding =
  | { readonly kind: "whole" }
  | (StoppedRun & { readonly why: Exclude<StoppedWhy, "budget"> })
  | (StoppedRun & { readonly why: "budget"; readonly shortage: Shortage });

/** What was done until then is there. */
interface StoppedRun {
  readonly kind: "stopped";
  readonly looksLeft: number;
  /** What went into looks that were not finished. */
  readonly lostMicroUsd: number;
}

export type StoppedWhy =
  | "asked"
  /** The money does not suffice for another look. */
  | "budget"
  /** One look after the other failed, and the next ones would only fail as well. */
  | "failing";

/** What stood against the first look that was not made. */
export interface Shortage {
  /** About what it would have cost. */
  readonly lookMicroUsd: number;
  /** By which that is known: the model's prices, or the dearest look until then. */
  readonly by: "prices" | "earlier_looks";
  /** Neither spent nor set aside for looks under way. */
  readonly leftMicroUsd: number;
}

export interface CaseResult {
  readonly case: EvalCase;
  /** Equal for equal cases: only those can be compared. */
  readonly digest: string;
  /** Those that were made, by attempt and then in the order of the roles. */
  readonly looks: readonly CasePass[];
}

/** One role's look at a case. */
export interface CasePass {
  readonly role: string;
  /** From 1 on. */
  readonly attempt: number;
  readonly outcome: LookJudged;
  readonly spent: EvalCost;
}

export type LookJudged =
  /** `unread`: files of the change that the role could not read. */
  | { readonly kind: "judged"; readonly judged: Judged; readonly unread: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

export interface EvalCost {
  readonly costMicroUsd: number;
  /** Calls whose price nobody knows; their cost is not in the sum, or estimated where they broke off. */
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
