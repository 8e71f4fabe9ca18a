import type { StatusEvent } from "#core/model/action.ts";
import type { StatusRecord } from "#core/model/records.ts";

export interface StatusTransition {
  readonly event: Pick<StatusEvent, "from" | "to">;
  /** To be written down together with the event; its count makes the event's key unique. */
  readonly next: StatusRecord;
}

/**
 * Each change of status makes one event; the same status makes none, even for another head. The first status ever seen
 * is a change from nothing, so that consumers hear of a pull that was approved before Drover saw it.
 */
export function nextStatus(previous: StatusRecord | null, status: StatusRecord["status"]): StatusTransition | null {
  if (previous === null) return { event: { from: null, to: status }, next: { status, count: 1 } };
  if (previous.status === status) return null;
  return { event: { from: previous.status, to: status }, next: { status, count: previous.count + 1 } };
}
