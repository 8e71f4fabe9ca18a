import type { Instant } from "#core/model/instant.ts";
import type { EntryName, Queue, QueueName, TakenEntry } from "#ports/queue.ts";

/** What was tried and has to be tried again. */
export interface RetriedEntry {
  readonly queue: QueueName;
  readonly key: string;
  readonly attempt: number;
  readonly at: Instant;
}

export interface CountedQueue {
  readonly queue: Queue;
  /** Those that wait for their next attempt, in no particular order. */
  readonly retried: () => readonly RetriedEntry[];
}

/** A queue that remembers what had to be put back: a run ends some time, and has to say what it gave up. */
export function countRetries(inner: Queue): CountedQueue {
  const waiting = new Map<string, RetriedEntry>();
  const forget = (entry: EntryName): void => void waiting.delete(nameOf(entry));
  const queue: Queue = {
    ...inner,
    take: async (request) => {
      const taken = await inner.take(request);
      if (taken !== null) forget(taken);
      return taken;
    },
    retry: async (taken: TakenEntry, at) => {
      const { queue: name, key, attempt } = taken;
      await inner.retry(taken, at);
      waiting.set(nameOf(taken), { queue: name, key, attempt, at });
    },
    cancel: async (entry) => {
      forget(entry);
      await inner.cancel(entry);
    },
  };
  return { queue, retried: () => [...waiting.values()] };
}

function nameOf({ queue, key }: EntryName): string {
  return `${queue} ${key}`;
}
