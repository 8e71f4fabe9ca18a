import { ranksOf, type ServedOrigins, type ServedRanks, withServed } from "#core/fairness/fair-order.ts";
import type { OriginText } from "#core/fairness/work-origin.ts";
import type { QueueName } from "#ports/queue.ts";

/** Kept per process: turns that each replica gives fairly are fair together. */
export interface QueueTurns {
  ranks(): ServedRanks;
  note(origin: OriginText): void;
  /** Whether more was due last time than was looked at: then the origins have to be gone through one by one. */
  isBehind: boolean;
  /** Where to continue in a queue with more origins than one pass covers. */
  readonly goOnAt: Map<QueueName, string>;
}

export function createQueueTurns(): QueueTurns {
  let served: ServedOrigins = [];
  return {
    ranks: () => ranksOf(served),
    note: (origin) => {
      served = withServed(served, origin);
    },
    isBehind: false,
    goOnAt: new Map(),
  };
}
