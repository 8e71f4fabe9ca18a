import type { Instant } from "#core/model/instant.ts";

/**
 * The durable queue: named queues of entries, each with a key. Of one key there is at most one entry waiting and one
 * running, over all workers. Durable means: what was accepted survives any crash; what was taken and not finished is
 * given to another worker when its lease has run out.
 */
export interface Queue {
  /**
   * Puts an entry in, due at that time. If one is waiting under this key, the earlier of the two times holds: a timer
   * never postpones a poke. While one is running, `keep` lets this one wait for its end, so that a poke during a tick is
   * not lost; `skip` drops it, because the running one is the same work. The payload and priority of an entry that is
   * already waiting stay as they are.
   */
  put(entry: QueueEntry): Promise<void>;

  /**
   * The most urgent entry that is due in one of these queues (lowest priority number first, then the one due longest),
   * leased to the caller; null where there is none. An entry whose lease has run out is due again, with a token of its
   * own and its attempt counted up. An entry is not due while another with its key is running.
   */
  take(request: { readonly queues: readonly QueueName[]; readonly leaseMs: number }): Promise<TakenEntry | null>;

  /** Keeps the lease for another span. `lost`: it has run out and was taken, or the entry was cancelled. Stop then. */
  extend(taken: TakenEntry, leaseMs: number): Promise<"kept" | "lost">;

  /** It is done. With a lease that was lost this does nothing. */
  finish(taken: TakenEntry): Promise<void>;

  /** It is to be tried again then; an entry that waits under its key already is merged with it. */
  retry(taken: TakenEntry, at: Instant): Promise<void>;

  /** Removes the waiting entry, and takes the lease of the running one away. Twice is once. */
  cancel(entry: { readonly queue: QueueName; readonly key: string }): Promise<void>;

  find(entry: { readonly queue: QueueName; readonly key: string }): Promise<"waiting" | "running" | undefined>;

  /** When something will be due in these queues: now, later, or never if nothing is in them. For whoever has to wait. */
  nextDue(queues: readonly QueueName[]): Promise<Instant | undefined>;
}

/** `tick`: look at a pull. The others are long work: reviews, sessions, whatever asks a model, and landing a merge. */
export const queueNames = ["tick", "talk", "review", "session", "landing"] as const;
export type QueueName = (typeof queueNames)[number];

export interface QueueEntry {
  readonly queue: QueueName;
  readonly key: string;
  /** Null: now, also for an entry that waits for later. */
  readonly at: Instant | null;
  readonly whileRunning: "keep" | "skip";
  /** 1 is the most urgent. */
  readonly priority: number;
  /** Plain JSON; read against a schema by whoever takes it. */
  readonly payload: unknown;
}

export interface TakenEntry extends Pick<QueueEntry, "queue" | "key" | "payload" | "priority"> {
  /** Unique to this attempt. */
  readonly token: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly leaseUntil: Instant;
}
