import { after, type Instant } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { ClaimedEntry } from "#ports/queue.ts";

/** A worker's hold on the entry that it took. */
export interface EntryLease {
  readonly until: () => Instant;
  /** Extends the lease once half of it is gone. False: it is lost. */
  readonly renewIfDue: () => Promise<boolean>;
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal;
  /** Stops the work on it, because another worker has the entry. */
  readonly abandon: () => void;
  /** Keeps it by itself until `stop`, and asks often whether it is still wanted. For work that takes longer than a lease. */
  readonly startHeartbeat: () => { readonly stop: () => Promise<void> };
}

/**
 * Each renewal asks the queue, because nothing else reports a cancelled job: until then it runs on, pays for its calls,
 * and does not count as running.
 */
const beatsInLease = 5;

export function createEntryLease(
  { queue, clock }: Pick<Dependencies, "queue" | "clock">,
  claimed: ClaimedEntry,
  { leaseMs, askedAt }: { readonly leaseMs: number; readonly askedAt: Instant },
): EntryLease {
  const lost = new AbortController();
  // Our own time counts, not the queue's, which has another clock. If that were a minute ahead of ours, it would give
  // the entry to another worker while we believe that no renewal is due. The time counts from after the renewal.
  let until = after(askedAt, leaseMs);
  const extend = async (): Promise<boolean> => {
    if (lost.signal.aborted) return false;
    // Written down before the queue is asked: an answer that takes long must not make the lease look longer.
    const next = after(clock.now(), leaseMs);
    if ((await queue.extend(claimed, leaseMs)) === "kept") until = next;
    else lost.abort();
    return !lost.signal.aborted;
  };
  const keep = async (): Promise<boolean> => {
    if (!lost.signal.aborted && after(clock.now(), leaseMs / 2) <= until) return true;
    return await extend();
  };
  /** A queue that does not answer is asked again with the next beat: until the lease runs out nothing is lost. */
  const tryExtend = async (): Promise<void> => {
    try {
      await extend();
    } catch {
      if (clock.now() >= until) lost.abort();
    }
  };
  const keepAlive = (): { readonly stop: () => Promise<void> } => {
    const ended = new AbortController();
    const beat = async (): Promise<void> => {
      while (!ended.signal.aborted && !lost.signal.aborted) {
        await clock.sleep(leaseMs / beatsInLease, ended.signal);
        if (!ended.signal.aborted) await tryExtend();
      }
    };
    const beating = beat();
    return {
      stop: async () => {
        ended.abort("it has ended");
        await beating;
      },
    };
  };
  return {
    until: () => until,
    renewIfDue: keep,
    signal: lost.signal,
    abandon: () => lost.abort(),
    startHeartbeat: keepAlive,
  };
}
