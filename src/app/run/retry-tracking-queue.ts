import type { Instant } from "#core/model/instant.ts";
import type { ClaimedEntry, EntryRef, Queue, QueueName } from "#ports/queue.ts";

export interface RetriedEntry {
  readonly queue: QueueName;
  readonly key: string;
  readonly attempt: number;
  readonly at: Instant;
}

export interface RetryTrackingQueue {
  readonly queue: Queue;
  readonly retried: () => readonly RetriedEntry[];
}

/** A run ends at some time and has to report what it gave up. */
export function trackRetries(inner: Queue): RetryTrackingQueue {
  const waiting = new Map<string, RetriedEntry>();
  const forget = (entry: EntryRef): void => void waiting.delete(nameOf(entry));
  const queue: Queue = {
    ...inner,
    claim: async (request) => {
      const claimed = await inner.claim(request);
      if (claimed !== null) forget(claimed);
      return claimed;
    },
    retry: async (claimed: ClaimedEntry, at) => {
      const { queue: name, key, attempt } = claimed;
      await inner.retry(claimed, at);
      waiting.set(nameOf(claimed), { queue: name, key, attempt, at });
    },
    cancel: async (entry) => {
      forget(entry);
      await inner.cancel(entry);
    },
  };
  return { queue, retried: () => [...waiting.values()] };
}

function nameOf({ queue, key }: EntryRef): string {
  return `${queue} ${key}`;
}
