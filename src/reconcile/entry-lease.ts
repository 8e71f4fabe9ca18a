import { after, type Instant } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { ClaimedEntry } from "#ports/queue.ts";

export interface EntryLease {
  readonly until: () => Instant;
  /** Extends the lease once half of it is gone. False: it is lost. */
  readonly renewIfDue: () => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly abandon: () => void;
  /** Renews by itself until `stop`, for work that takes longer than a lease, and notices cancellation. */
  readonly startHeartbeat: () => { readonly stop: () => Promise<void> };
}

/** Only a renewal notices that a job was cancelled: until then it pays for its calls, and does not count as running. */
const beatsInLease = 5;

export function createEntryLease(
  { queue, clock }: Pick<Dependencies, "queue" | "clock">,
  claimed: ClaimedEntry,
  { leaseMs, askedAt }: { readonly leaseMs: number; readonly askedAt: Instant },
): EntryLease {
  const lost = new AbortController();
  // Measured on our own clock: the queue's may be a minute ahead, and would give the entry away before we renew.
  let until = after(askedAt, leaseMs);
  const extend = async (): Promise<boolean> => {
    if (lost.signal.aborted) return false;
    // Computed before the queue is asked: a slow answer must not make the lease look longer.
    const next = after(clock.now(), leaseMs);
    if ((await queue.extend(claimed, leaseMs)) === "kept") until = next;
    else lost.abort();
    return !lost.signal.aborted;
  };
  const keep = async (): Promise<boolean> => {
    if (!lost.signal.aborted && after(clock.now(), leaseMs / 2) <= until) return true;
    return await extend();
  };
  /** An error is tried again with the next beat: nothing is lost until the lease expires. */
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
