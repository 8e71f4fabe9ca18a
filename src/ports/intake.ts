import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface Intake {
  /** `accepted`: it survives a crash. `busy`: tell the sender; it may have been written all the same, which does no harm. */
  accept(reference: DeliveryReference): Promise<"accepted" | "busy">;
}

export interface DeliveryReference {
  readonly instance: InstanceId;
  readonly pull: PullRef;
  readonly author?: string;
  /** Equal on redelivery; null where the forge gives none. */
  readonly delivery: string | null;
  readonly kind: string;
  readonly receivedAt: Instant;
}

export interface Deliveries {
  /** By number, though new ones may come early for seconds. Each comes until deleted. Only these forges' may be deleted. */
  readDeliveries(request: {
    readonly limit: number;
    readonly instances: readonly InstanceId[];
  }): Promise<readonly DeliveryGroup[]>;
  /** Unread ones stay. Twice is once. */
  forgetDeliveries(numbers: readonly number[]): Promise<void>;
}

export interface DeliveryGroup {
  /** Grows in the order of writing. */
  readonly number: number;
  readonly instance: InstanceId;
  /** In the order in which they were accepted. */
  readonly references: readonly DeliveryReference[];
}
