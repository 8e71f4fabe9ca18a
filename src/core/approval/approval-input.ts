import type { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { ApprovalRecord } from "#core/model/records.ts";

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
  /** The one that stands now is the latest by `since`. */
  readonly heads: readonly HeadSeen[];
  readonly records: readonly ApprovalRecord[];
  /** Null where it is a draft, or was never seen as none. */
  readonly readySince: Instant | null;
  readonly feedback: readonly { readonly id: string; readonly author: AccountId; readonly at: Instant }[];
};
