import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { FindingId, HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Coverage } from "#core/model/records.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import { type ChangedCode, isOnChangedCode } from "#core/review/changed-code.ts";
import { type ThresholdRules, thresholdsOf } from "#core/review/role-thresholds.ts";

export interface ReviewRound {
  readonly known: readonly Finding[];
  readonly found: readonly RawFinding[];
  readonly head: HeadSha;
  readonly round: number;
  readonly foundAt: Instant;
  readonly rules: ThresholdRules & Pick<ReviewRules, "commentsMax">;
  readonly changed: ChangedCode;
  readonly isSecondLook?: boolean;
  /** Known findings whose code is certainly gone. Code that was not searched for is not gone. */
  readonly gone: ReadonlySet<FindingId>;
  /** By role. A role that is not here did not finish, and settles nothing. */
  readonly coverage: ReadonlyMap<string, Coverage>;
  readonly renames: ReadonlyMap<string, string>;
  /** They report the same code always or never: their silence means something. */
  readonly deterministicRoles: ReadonlySet<string>;
  /** By the base branch. What another role has found is left to those that are here. */
  readonly rolesInForce: ReadonlySet<string>;
}

/** A reviewer that finds something else each time would never let a pull through without this. */
export function mayBlock(found: RawFinding, { rules, round, changed }: ReviewRound): boolean {
  const { blockingScore } = thresholdsOf(rules, found.role);
  return found.score >= blockingScore && (round === 1 || isOnChangedCode(found, changed));
}

/** By a model: neither the name of the rule nor the message tells whether it is the same finding. */
export function isJudged(
  { role }: RawFinding,
  { deterministicRoles }: Pick<ReviewRound, "deterministicRoles">,
): boolean {
  return !deterministicRoles.has(role);
}

export function isReadBefore(found: RawFinding, round: ReviewRound): boolean {
  return round.isSecondLook === true || isUnchanged(found, round);
}

function isUnchanged(found: RawFinding, { round, changed }: ReviewRound): boolean {
  return round > 1 && !isOnChangedCode(found, changed);
}

/** Else rounds never end with a reviewer that thinks of something else each time. Who asks again wants to hear it. */
export function isLate(found: RawFinding, round: ReviewRound): boolean {
  return isJudged(found, round) && isUnchanged(found, round) && round.isSecondLook !== true;
}

export function raiseFinding(
  found: RawFinding,
  { id, isBlocking }: Pick<Finding, "id" | "isBlocking">,
  { head, round, foundAt }: ReviewRound,
): Finding {
  return { ...found, id, isBlocking, head, round, state: { kind: "open" }, thread: null, foundAt };
}
