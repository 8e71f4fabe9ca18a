import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Where webhooks go: what was accepted is acted on, whatever happens to this process in the next moment. */
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
  /** The forge that it came from. */
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
   * Groups of these forges, at most so many, in the order of their numbers. Those of other forges are not ours to forget:
   * somebody else may know them. What this process has accepted itself may turn up before what is older, for a few
   * seconds; everything does turn up, and again for as long as it is not forgotten.
   */
  readDeliveries(request: {
    readonly limit: number;
    readonly instances: readonly InstanceId[];
  }): Promise<readonly DeliveryGroup[]>;
  /** All of these groups have been turned into pokes. Whatever was not read stays. Twice is once. */
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
