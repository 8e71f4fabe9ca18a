import type { OriginText } from "#core/fairness/work-origin.ts";
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
   * already waiting stay as they are. One that was buried under this key is gone: the new one begins as if it had never
   * been, so that a poke brings a pull back to life.
   */
  put(entry: QueueEntry): Promise<void>;

  /** As `put` for each of them in this order, at the price of one. */
  putAll(entries: readonly QueueEntry[]): Promise<void>;

  /**
   * The most urgent entry that is due in one of these queues, leased to the caller; null where there is none. The lowest
   * priority number comes first. Those of one priority take fair turns: first the repository that this process has served
   * longest ago, in it the author whom it has, then the entry that has been due longest (`core/fairness`). Turns are exact
   * while no more than a hundred origins wait in a queue; of more, each still gets its turn. An entry whose lease has run out is due again, with a token of its
   * own and its attempt counted up. An entry is not due while another with its key is running. Of a queue with a limit
   * nothing is given while so many of its entries are running, over all workers; those whose lease has run out do not
   * count. Null may also come when all that is due was in others' hands at that moment: `nextDue` tells.
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
   * Sets it aside: it is not tried again until somebody puts it back or in anew. If another waits under its key already,
   * that one takes its place at once and nothing is buried. How often is too often, the caller decides.
   */
  quarantine(claimed: ClaimedEntry, why: string): Promise<void>;

  /** What was set aside, the oldest `buriedListMax` of it. */
  listQuarantined(): Promise<readonly QuarantinedEntry[]>;

  /** Puts a buried entry back, due now and as if it had never been tried. */
  restore(entry: EntryRef): Promise<"put_back" | "not_there">;

  /** Removes the waiting entry or the buried one, and takes the lease of the running one away. Twice is once. */
  cancel(entry: EntryRef): Promise<void>;

  /** A buried entry is not there: nobody will work on it. */
  find(entry: EntryRef): Promise<"waiting" | "running" | undefined>;

  /**
   * When something can be taken from these queues, as far as is known now: at once, later, or never if nothing is in
   * them. For whoever has to wait.
   */
  nextDue(queues: readonly QueueName[]): Promise<Instant | undefined>;

  /**
   * The listener is called, in every process, soon after something can be taken that could not be before, unless it is
   * for time alone that it was not. It may be called for nothing and, rarely, not be called: whoever waits asks `nextDue`
   * now and then as well. It must not throw.
   */
  onWake(listener: () => void): Promise<WakeSubscription>;
}

export interface WakeSubscription {
  stop(): Promise<void>;
}

/**
 * `tick`: look at a pull. `poll`: look over the open pulls of a repository. The others are long work: reviews, sessions,
 * whatever asks a model, and landing a merge.
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
  /** Plain JSON; read against a schema by whoever takes it. */
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
  /** How often in a row, this time included, it was taken from somebody whose lease ran out; 0 for one that waited. */
  readonly takeovers: number;
  readonly leaseUntil: Instant;
}

export interface QuarantinedEntry extends Pick<QueueEntry, "queue" | "key" | "payload" | "priority"> {
  /** How often it was tried. */
  readonly attempts: number;
  readonly why: string;
  readonly since: Instant;
}
