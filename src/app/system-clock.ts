import { instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

export function createSystemClock(): Clock {
  return {
    now: () => instant(Date.now()),
    sleep: async (ms, signal) => {
      let restMs = ms;
      while (restMs > 0 && !isAborted(signal)) {
        const spanMs = Math.min(restMs, timerMsMax);
        await sleepOnce(spanMs, signal);
        restMs -= spanMs;
      }
    },
  };
}

/** Node runs a longer timer after one millisecond. */
const timerMsMax = 2 ** 31 - 1;

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

async function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
