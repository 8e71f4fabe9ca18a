import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { FindingId, HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Coverage } from "#core/model/records.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import { type ChangedCode, isOnChangedCode } from "#core/review/changed-code.ts";

/** One look of one or more roles at one head, with what is known from earlier ones. */
export interface ReviewRound {
  /** Everything known about the pull, each finding once. */
  readonly known: readonly Finding[];
  readonly found: readonly RawFinding[];
  readonly head: HeadSha;
  /** The first round is 1. */
  readonly round: number;
  readonly foundAt: Instant;
  readonly rules: Pick<ReviewRules, "problemScore" | "blockingScore" | "commentsMax">;
  readonly changed: ChangedCode;
  /** Known findings whose code is certainly no longer there. What nobody looked for is not gone. */
  readonly gone: ReadonlySet<FindingId>;
  /** By role. A role that is not here did not finish, and settles nothing. */
  readonly coverage: ReadonlyMap<string, Coverage>;
  /** New path to old path, since the last round. */
  readonly renames: ReadonlyMap<string, string>;
  /** Roles that report the same code always or never: their silence means something. */
  readonly deterministicRoles: ReadonlySet<string>;
  /** Roles that the rules of the base branch name now. What another one has found is left to those that are here. */
  readonly rolesInForce: ReadonlySet<string>;
}

/**
 * The ratchet: in the first round everything serious blocks, later only what is serious on code that changed since.
 * Without it a reviewer that finds something else each time would never let a pull through.
 */
export function mayBlock(found: RawFinding, { rules, round, changed }: ReviewRound): boolean {
  return found.score >= rules.blockingScore && (round === 1 || isOnChangedCode(found, changed));
}

/** A finding as it is said now for the first time, or anew. */
export function raiseFinding(
  found: RawFinding,
  { id, isBlocking }: Pick<Finding, "id" | "isBlocking">,
  { head, round, foundAt }: ReviewRound,
): Finding {
  return { ...found, id, isBlocking, head, round, state: { kind: "open" }, thread: null, foundAt };
}
