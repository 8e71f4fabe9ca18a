import { instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/**
 * Sleeps a hundred times faster than it says, so that pauses of seconds can be waited for beside a real network. Its hands
 * move only by what somebody slept to the end: how slow the machine is cannot be seen on it.
 */
export interface QuickClock extends Clock {
  /** Every sleep that was asked for, in the order in which they began. */
  readonly sleeps: number[];
}

const speed = 100;

export function createQuickClock(): QuickClock {
  let nowMs = Date.UTC(2026, 0, 31);
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => instant(nowMs),
    sleep: async (ms, signal) => {
      sleeps.push(ms);
      if (!(ms > 0) || signal?.aborted === true) return;
      const untilMs = nowMs + ms;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(() => {
          nowMs = Math.max(nowMs, untilMs);
          end();
        }, ms / speed);
        signal?.addEventListener("abort", end);
      });
    },
  };
}
