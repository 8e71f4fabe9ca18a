import type { Instant } from "#core/model/instant.ts";
import type { ClaimedEntry, Queue, QueueEntry, QueueLimits } from "#ports/queue.ts";

export interface WorldOptions {
  readonly limits?: QueueLimits;
}

/** One implementation of the port, empty. */
export interface World {
  /** Two workers on the same queue: what holds for one must hold for both. */
  readonly queues: readonly [Queue, Queue];
  now(): Instant;
  /** Lets time pass, as the queue counts it. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const leaseMs = 1000;

export function anEntry(over: Partial<QueueEntry> = {}): QueueEntry {
  return { queue: "tick", key: "one", at: null, whileRunning: "keep", priority: 3, payload: null, ...over };
}

export async function takeTick(queue: Queue): Promise<ClaimedEntry | null> {
  return queue.claim({ queues: ["tick"], leaseMs });
}

export async function takeReview(queue: Queue): Promise<ClaimedEntry | null> {
  return queue.claim({ queues: ["review"], leaseMs });
}

/** For where there must be one. */
export async function mustTake(queue: Queue): Promise<ClaimedEntry> {
  const claimed = await takeTick(queue);
  if (claimed === null) throw new Error("nothing is due");
  return claimed;
}

/** Takes and finishes whatever is due now, and answers with the keys in the order in which they came. */
export async function drain(queue: Queue): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let claimed = await takeTick(queue); claimed !== null; claimed = await takeTick(queue)) {
    keys.push(claimed.key);
    await queue.finish(claimed);
  }
  return keys;
}
