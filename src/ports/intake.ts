import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Where webhooks go: an accepted delivery is acted on, even if this process crashes in the next moment. */
export interface Intake {
  /**
   * Writes the reference down; `accepted` means that it has survived a crash. `busy`: it was not, because too many are
   * waiting or the database has not answered in time, and the sender has to be told so. It may have been written all the
   * same: a poke too many does no harm.
   */
  accept(reference: DeliveryReference): Promise<"accepted" | "busy">;
}

/** What a webhook said, as far as it is believed: where to look. */
export interface DeliveryReference {
  readonly instance: InstanceId;
  readonly pull: PullRef;
  /** The account that opened it, where that is known. */
  readonly author?: string;
  /** The forge's own id of it, equal on redelivery; null where it has none. */
  readonly delivery: string | null;
  /** `issue_comment.created`: for people who read the log. */
  readonly kind: string;
  readonly receivedAt: Instant;
}

/** What was accepted and waits to be turned into pokes. */
export interface Deliveries {
  /**
   * At most so many groups of these forges, in the order of their numbers. Groups of other forges are not ours to
   * delete: another process may know these forges. Groups that this process has just accepted may come before older
   * ones for a few seconds. Every group comes, again and again, until it is deleted.
   */
  readDeliveries(request: {
    readonly limit: number;
    readonly instances: readonly InstanceId[];
  }): Promise<readonly DeliveryGroup[]>;
  /** All of these groups have become pokes. Unread ones stay. Twice is once. */
  forgetDeliveries(numbers: readonly number[]): Promise<void>;
}

/** Deliveries of one forge that were written in one commit. */
export interface DeliveryGroup {
  /** Unique, and growing in the order in which they were written. */
  readonly number: number;
  readonly instance: InstanceId;
  /** In the order in which they were accepted. */
  readonly references: readonly DeliveryReference[];
}
