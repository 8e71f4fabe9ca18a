import { ranksOf, type ServedOrigins, type ServedRanks, withServed } from "#core/fairness/fair-order.ts";
import type { OriginText } from "#core/fairness/work-origin.ts";
import type { QueueName } from "#ports/queue.ts";

/**
 * Whose turn it is, as one process remembers it. Replicas need not agree: what each of them gives out fairly is fair
 * together.
 */
export interface QueueTurns {
  ranks(): ServedRanks;
  note(origin: OriginText): void;
  /**
   * Whether more was due the last time than was looked at: then the origins have to be gone through one by one. Mostly
   * all that is due is looked at anyway.
   */
  isBehind: boolean;
  /** Where to go on with the origins of a queue, for those that have more than can be gone through at once. */
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
