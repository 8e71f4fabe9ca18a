import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface Intake {
  /** `accepted`: it survives a crash. `busy`: tell the sender; it may have been written all the same, which does no harm. */
  accept(reference: DeliveryReference): Promise<"accepted" | "busy">;
}

/** As far as it is believed: where to look. */
export interface DeliveryReference {
  readonly instance: InstanceId;
  readonly pull: PullRef;
  /** Who opened it, where known. */
  readonly author?: string;
  /** Equal on redelivery; null where the forge gives none. */
  readonly delivery: string | null;
  /** `issue_comment.created`: for people who read the log. */
  readonly kind: string;
  readonly receivedAt: Instant;
}

/** Accepted, and not yet turned into pokes. */
export interface Deliveries {
  /**
   * Up to a limit, by number, though new ones may come early for seconds. Each group comes until it is deleted. Other
   * forges' groups are not ours to delete.
   */
  readDeliveries(request: {
    readonly limit: number;
    readonly instances: readonly InstanceId[];
  }): Promise<readonly DeliveryGroup[]>;
  /** Unread ones stay. Twice is once. */
  forgetDeliveries(numbers: readonly number[]): Promise<void>;
}

/** Deliveries of one forge that were written in one commit. */
export interface DeliveryGroup {
  /** Grows in the order of writing. */
  readonly number: number;
  readonly instance: InstanceId;
  /** In the order in which they were accepted. */
  readonly references: readonly DeliveryReference[];
}
