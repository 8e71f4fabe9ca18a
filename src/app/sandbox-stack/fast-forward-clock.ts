import { after, type Instant, instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/**
 * Time that leaps: it stands still while there is work, and is pushed forward when there is none. A day of waiting takes
 * no time, and the same story gives the same commits on every machine, since their dates come from here.
 */
export interface FastForwardClock extends Clock {
  /** Whoever sleeps and is due by then wakes. */
  leapTo(at: Instant): void;
}

export function createFastForwardClock(start: Instant): FastForwardClock {
  const sleepers = new Set<Sleeper>();
  let now = start;
  const leapTo = (at: Instant): void => {
    now = instant(Math.max(now, at));
    for (const sleeper of sleepers) if (sleeper.due <= now) sleeper.wake();
  };
  return {
    now: () => now,
    leapTo,
    sleep: async (ms, signal) => {
      if (!(ms > 0) || signal?.aborted === true) return;
      await new Promise<void>((resolve) => {
        const due = after(now, ms);
        const wake = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", wake);
          sleepers.delete(sleeper);
          resolve();
        };
        const sleeper: Sleeper = { due, wake };
        // Nobody leaps while somebody is at work; a sleeper in the middle of it wakes in real time, and takes it along.
        const timer = setTimeout(() => leapTo(due), ms);
        signal?.addEventListener("abort", wake);
        sleepers.add(sleeper);
      });
    },
  };
}

interface Sleeper {
  readonly due: Instant;
  readonly wake: () => void;
}
