import type { OriginText } from "#core/fairness/work-origin.ts";
import type { InstanceId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { QueueEntry } from "#ports/queue.ts";

interface TickOptions {
  readonly at?: Instant;
  readonly origin?: OriginText | undefined;
}

/** After an answer that a person waits for, before reviews and sessions. */
const tickPriority = 2;

export function tickEntry(instance: InstanceId, pull: PullRef, { at, origin }: TickOptions = {}): QueueEntry {
  return {
    queue: "tick",
    key: pullKeyOf(instance, pull),
    at: at ?? null,
    whileRunning: "keep",
    priority: tickPriority,
    payload: { pull },
    ...(origin === undefined ? {} : { origin }),
  };
}
