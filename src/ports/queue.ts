import type { OriginText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";

/**
 * The durable queue: named queues of entries, each with a key. Of one key there is at most one entry waiting and one
 * running, over all workers. Durable means: what was accepted survives any crash; what was taken and not finished is
 * given to another worker when its lease has run out.
 */
export interface Queue {
  /**
   * Puts an entry in, due at that time. If an entry waits under this key, the earlier of the two times holds, so a
   * timer never postpones a poke. While an entry runs, `keep` lets this one wait for its end, so that a poke during a
   * tick is not lost. `skip` drops it, because the running one is the same work. The payload and priority of a
   * waiting entry stay as they are. A quarantined entry under this key is removed, and the new one begins from
   * attempt one, so that a poke brings a pull back to life.
   */
  put(entry: QueueEntry): Promise<void>;

  /** As `put` for each of them in this order, at the price of one. */
  putAll(entries: readonly QueueEntry[]): Promise<void>;

  /**
   * Leases the most urgent entry that is due in one of these queues to the caller; null if there is none. The lowest
   * priority number comes first. Entries of one priority take fair turns (`core/fairness`). First comes the
   * repository that this process has served longest ago, then the author in it, then the entry that has been due
   * longest. Turns are exact while at most a hundred origins wait in a queue; with more, each still gets its turn. An
   * entry whose lease has expired is due again, with a new token and one more attempt. An entry is not due while
   * another one with its key runs. A queue with a limit gives no entry while that many of its entries run, over all
   * workers; expired leases do not count. Null may also mean that other workers had claimed all due entries at that
   * moment: ask `nextDue`.
   */
  claim(request: { readonly queues: readonly QueueName[]; readonly leaseMs: number }): Promise<ClaimedEntry | null>;

  /**
   * Keeps the lease for another span. `lost`: it has run out and was taken, or the entry was cancelled, or the lease has
   * run out and the queue is at its limit without it. Stop then.
   */
  extend(claimed: ClaimedEntry, leaseMs: number): Promise<"kept" | "lost">;

  /** It is done. With a lease that was lost this does nothing. */
  finish(claimed: ClaimedEntry): Promise<void>;

  /** It is to be tried again then; an entry that waits under its key already is merged with it. */
  retry(claimed: ClaimedEntry, at: Instant): Promise<void>;

  /**
   * Quarantines it: it is not retried until a person restores it or it is put in anew. If another entry waits under its
   * key, that one takes its place at once and nothing is quarantined. The caller decides how often is too often.
   */
  quarantine(claimed: ClaimedEntry, why: string): Promise<void>;

  /** What was set aside, the oldest `buriedListMax` of it. */
  listQuarantined(): Promise<readonly QuarantinedEntry[]>;

  /** Puts a buried entry back, due now and as if it had never been tried. */
  restore(entry: EntryRef): Promise<"put_back" | "not_there">;

  /** Removes the waiting entry or the buried one, and takes the lease of the running one away. Twice is once. */
  cancel(entry: EntryRef): Promise<void>;

  /** A quarantined entry does not count: no worker runs it. */
  find(entry: EntryRef): Promise<"waiting" | "running" | undefined>;

  /**
   * When an entry can be claimed from these queues, as far as is known now: at once, later, or never if they are empty.
   */
  nextDue(queues: readonly QueueName[]): Promise<Instant | undefined>;

  /**
   * The listener is called, in every process, soon after an entry can be claimed that could not be before, unless only
   * time had to pass. It may be called for nothing and, rarely, not be called: so callers ask `nextDue` now and then as
   * well. It must not throw.
   */
  onWake(listener: () => void): Promise<WakeSubscription>;
}

export interface WakeSubscription {
  stop(): Promise<void>;
}

/**
 * `tick`: one round on a pull. `poll`: compares the open pulls of a repository. The others are long work: reviews,
 * sessions, calls to models, and landing a merge.
 */
export const queueNames = ["tick", "talk", "review", "session", "landing", "poll"] as const;
export type QueueName = (typeof queueNames)[number];

/** How many entries of a queue may be running at once. */
export type QueueLimits = Partial<Readonly<Record<QueueName, number>>>;

/** Of priorities, and of characters in a key as JSON writes them: an index of the database has to hold it. */
export const priorityMax = 5;
export const keyCharsMax = 500;

export const buriedListMax = 1000;

export interface EntryRef {
  readonly queue: QueueName;
  /** At most `keyCharsMax` long. */
  readonly key: string;
}

export interface QueueEntry extends EntryRef {
  /** Null: now, also for an entry that waits for later. */
  readonly at: Instant | null;
  readonly whileRunning: "keep" | "skip";
  /** 1 is the most urgent, `priorityMax` the least. */
  readonly priority: number;
  /** Plain JSON; the claimer reads it against a schema. */
  readonly payload: unknown;
  /** With whom it shares its turns. Everything that names none shares the turns of one origin. */
  readonly origin?: OriginText;
}

export interface ClaimedEntry extends Pick<QueueEntry, "queue" | "key" | "payload" | "priority"> {
  readonly origin: OriginText;
  /** Unique to this attempt. */
  readonly token: string;
  /** Counts from 1. */
  readonly attempt: number;
  /**
   * How often in a row, this time included, it was claimed after the lease of another worker expired; 0 for one that
   * waited.
   */
  readonly takeovers: number;
  readonly leaseUntil: Instant;
}

export interface QuarantinedEntry extends Pick<QueueEntry, "queue" | "key" | "payload" | "priority"> {
  /** How often it was tried. */
  readonly attempts: number;
  readonly why: string;
  readonly since: Instant;
}
