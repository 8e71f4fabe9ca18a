import { after, type Instant } from "#core/model/instant.ts";
import type { Parts } from "#ports/parts.ts";
import type { TakenEntry } from "#ports/queue.ts";

/** A worker's hold on the entry that it took. */
export interface HeldEntry {
  readonly until: () => Instant;
  /** Extends the lease once half of it is gone. False: it is lost. */
  readonly keep: () => Promise<boolean>;
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal;
  /** Stops the work on it: somebody else is to have it. */
  readonly letGo: () => void;
  /** Keeps it by itself until `stop`. For work that takes longer than a lease. */
  readonly keepAlive: () => { readonly stop: () => Promise<void> };
}

export function holdEntry(
  { queue, clock }: Pick<Parts, "queue" | "clock">,
  taken: TakenEntry,
  leaseMs: number,
): HeldEntry {
  const lost = new AbortController();
  let until = taken.leaseUntil;
  const keep = async (): Promise<boolean> => {
    if (lost.signal.aborted) return false;
    const now = clock.now();
    if (after(now, leaseMs / 2) <= until) return true;
    // Written down before the queue is asked: an answer that takes long must not make the lease look longer.
    const next = after(now, leaseMs);
    if ((await queue.extend(taken, leaseMs)) === "kept") until = next;
    else lost.abort();
    return !lost.signal.aborted;
  };
  /** A queue that does not answer is asked again with the next beat: until the lease runs out nothing is lost. */
  const tryKeep = async (): Promise<void> => {
    try {
      await keep();
    } catch {
      if (clock.now() >= until) lost.abort();
    }
  };
  const keepAlive = (): { readonly stop: () => Promise<void> } => {
    const ended = new AbortController();
    const beat = async (): Promise<void> => {
      while (!ended.signal.aborted && !lost.signal.aborted) {
        await clock.sleep(leaseMs / 3, ended.signal);
        if (!ended.signal.aborted) await tryKeep();
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
  return { until: () => until, keep, signal: lost.signal, letGo: () => lost.abort(), keepAlive };
}
