import type { Clock } from "#ports/clock.ts";

/** A bell for whoever waits for something to do. Rung while nobody waits, it is heard by the next one who does. */
export interface Wake {
  ring(): void;
  /** Until it rings, the time has passed, or the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWake(clock: Pick<Clock, "sleep">): Wake {
  let rung = new AbortController();
  return {
    ring: () => rung.abort("rung"),
    wait: async (ms, signal) => {
      await clock.sleep(ms, AbortSignal.any([rung.signal, signal]));
      if (rung.signal.aborted) rung = new AbortController();
    },
  };
}
