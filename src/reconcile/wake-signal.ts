import type { Clock } from "#ports/clock.ts";

/** A signal without a waiting worker is kept for the next one. */
export interface WakeSignal {
  notify(): void;
  /** Until it is notified, the time has passed, or the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWakeSignal(clock: Pick<Clock, "sleep">): WakeSignal {
  let rung = new AbortController();
  return {
    notify: () => rung.abort("rung"),
    wait: async (ms, signal) => {
      await sleepUntilEither(clock, ms, [rung.signal, signal]);
      if (rung.signal.aborted) rung = new AbortController();
    },
  };
}

/** `AbortSignal.any` leaks into its sources on Node 20, and these live as long as the server. */
async function sleepUntilEither(
  clock: Pick<Clock, "sleep">,
  ms: number,
  signals: readonly AbortSignal[],
): Promise<void> {
  const awake = new AbortController();
  const end = (): void => awake.abort();
  for (const signal of signals) signal.addEventListener("abort", end);
  try {
    if (signals.some(({ aborted }) => aborted)) end();
    await clock.sleep(ms, awake.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
}
