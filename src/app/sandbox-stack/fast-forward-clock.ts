import { after, type Instant, instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/** Stands still during work and jumps when idle: waiting takes no time, and commits get the same dates everywhere. */
export interface FastForwardClock extends Clock {
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
        // Nothing calls `leapTo` during work, so a sleeper in the middle of it wakes in real time.
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
