import { type Instant, instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/** The clock of the machine that Drover runs on. The forge has another one. */
export interface MachineClock extends Clock {
  /** Somebody sets it, forwards or back. */
  moveHands(ms: number): void;
}

export function createMachineClock(real: Clock): MachineClock {
  let movedMs = 0;
  return {
    now: (): Instant => instant(real.now() + movedMs),
    sleep: (ms, signal) => real.sleep(ms, signal),
    moveHands: (ms) => {
      movedMs += ms;
    },
  };
}
