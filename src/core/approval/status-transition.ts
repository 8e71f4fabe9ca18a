import type { StatusEvent } from "#core/model/action.ts";
import type { StatusRecord } from "#core/model/records.ts";

export interface StatusTransition {
  readonly event: Pick<StatusEvent, "from" | "to">;
  /** Its count makes the key of the event unique. */
  readonly next: StatusRecord;
}

/** The first status is a change from nothing, so consumers hear of a pull that was approved before. */
export function nextStatus(previous: StatusRecord | null, status: StatusRecord["status"]): StatusTransition | null {
  if (previous === null) return { event: { from: null, to: status }, next: { status, count: 1 } };
  if (previous.status === status) return null;
  return { event: { from: previous.status, to: status }, next: { status, count: previous.count + 1 } };
}
