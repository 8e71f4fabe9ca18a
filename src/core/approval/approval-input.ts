import type { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { ApprovalRecord } from "#core/model/records.ts";

/** What the approval of a pull depends on, and nothing else. Lists need no order and may hold an element twice. */
export type ApprovalInput = Pick<
  Observation,
  | "observedAt"
  | "bot"
  | "pull"
  | "rules"
  | "reviews"
  | "reactions"
  | "permissions"
  | "teams"
  | "changedPaths"
  | "codeOwners"
  | "limitsReached"
> & {
  /** All heads that were seen; the one that stands now is the latest by `since`. */
  readonly heads: readonly HeadSeen[];
  readonly records: readonly ApprovalRecord[];
  /** When it was first seen as no draft any more; null where it is one, or never was. */
  readonly readySince: Instant | null;
  /** Remarks of others that are not addressed yet. */
  readonly feedback: readonly UnaddressedRemark[];
};

export interface UnaddressedRemark {
  readonly id: string;
  readonly author: AccountId;
  readonly at: Instant;
}
