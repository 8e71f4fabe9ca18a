import type { OriginText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";

/** Per key at most one entry waits and one runs, over all workers. Accepted entries survive crashes; expired leases pass on. */
export interface Queue {
  /**
   * The earlier due time holds, so a timer never postpones a poke. While one runs, `keep` waits for its end and `skip`
   * drops this one, as the same work. Payload and priority of a waiting entry stay. A quarantined entry under this key is
   * removed, so that a poke brings its pull back.
   */
  put(entry: QueueEntry): Promise<void>;

  /** As `put` for each of them in this order, at the price of one. */
  putAll(entries: readonly QueueEntry[]): Promise<void>;

  /**
   * Leases the most urgent due entry: lowest priority number, then fair turns (`core/fairness`): repository served longest
   * ago, its author, the longest due. Exact for up to a hundred origins. An expired lease is due again, with a new token
   * and one more attempt. Keys never run twice at once. Limits hold over all workers. Null may also mean that others had
   * claimed all due entries: ask `nextDue`.
   */
  claim(request: { readonly queues: readonly QueueName[]; readonly leaseMs: number }): Promise<ClaimedEntry | null>;

  /** `lost`: taken or cancelled, or it expired and the queue is at its limit without it. Stop then. */
  extend(claimed: ClaimedEntry, leaseMs: number): Promise<"kept" | "lost">;

  /** With a lost lease this does nothing. */
  finish(claimed: ClaimedEntry): Promise<void>;

  /** An entry that waits under its key is merged with it. */
  retry(claimed: ClaimedEntry, at: Instant): Promise<void>;

  /** Not retried until restored or put in anew. If another entry waits under its key, nothing is quarantined. */
  quarantine(claimed: ClaimedEntry, why: string): Promise<void>;

  /** The oldest `buriedListMax` of them. */
  listQuarantined(): Promise<readonly QuarantinedEntry[]>;

  /** Due now, as if never tried. */
  restore(entry: EntryRef): Promise<"put_back" | "not_there">;

  /** Removes the waiting or buried entry and takes the running one's lease away. Twice is once. */
  cancel(entry: EntryRef): Promise<void>;

  /** A quarantined entry does not count: no worker runs it. */
  find(entry: EntryRef): Promise<"waiting" | "running" | undefined>;

  /** As far as is known now; undefined if the queues are empty. */
  nextDue(queues: readonly QueueName[]): Promise<Instant | undefined>;

  /** Called in every process when an entry becomes due other than by time. Calls may be missed: ask `nextDue` too. No throws. */
  onWake(listener: () => void): Promise<WakeSubscription>;
}

export interface WakeSubscription {
  stop(): Promise<void>;
}

/** `tick`: one round on a pull. `poll`: compares a repository's open pulls. The others are long work. */
export const queueNames = ["tick", "talk", "review", "session", "landing", "poll"] as const;
export type QueueName = (typeof queueNames)[number];

export type QueueLimits = Partial<Readonly<Record<QueueName, number>>>;

/** Priorities, and characters in a key as JSON: an index of the database has to hold it. */
export const priorityMax = 5;
export const keyCharsMax = 500;

export const buriedListMax = 1000;

export interface EntryRef {
  readonly queue: QueueName;
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
  /** With whom it shares its turns. Entries without one share one origin. */
  readonly origin?: OriginText;
}

export interface ClaimedEntry extends Pick<QueueEntry, "queue" | "key" | "payload" | "priority"> {
  readonly origin: OriginText;
  /** Unique to this attempt. */
  readonly token: string;
  readonly attempt: number;
  /** Claims in a row, this one included, after another worker's lease expired; 0 for one that waited. */
  readonly takeovers: number;
  readonly leaseUntil: Instant;
}

export interface QuarantinedEntry extends Pick<QueueEntry, "queue" | "key" | "payload" | "priority"> {
  readonly attempts: number;
  readonly why: string;
  readonly since: Instant;
}
