import { after, type Instant, instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

export interface StillClock extends Clock {
  readonly now: () => Instant;
  readonly pass: (ms: number) => void;
}

/** Stands still until a test moves it; who sleeps wakes at once. By default it begins within a second, as forges cut these. */
export function stillClock(start = 1_767_258_000_400): StillClock {
  let now: Instant = instant(start);
  return {
    now: () => now,
    sleep: async () => undefined,
    pass: (ms) => {
      now = after(now, ms);
    },
  };
}
