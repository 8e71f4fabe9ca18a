import { type Instant, instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";

/** Time that passes only when it is told to. */
export interface VirtualClock extends Clock {
  /**
   * Lets time pass. Whoever sleeps wakes at exactly its time, in the order of these times, and goes on until it sleeps
   * again or waits for something that the clock does not know of. Not to be called again before it has resolved.
   */
  advance(ms: number): Promise<void>;
  /** The hands are moved, forwards or back. No time passes by it: sleepers sleep as long as they would have. */
  set(now: Instant): void;
  /** When the next sleeper wakes, as this clock will show it then; undefined where nobody sleeps. */
  nextWake(): Instant | undefined;
}

/** Something that is under way outside of this process, or in another part of it; undefined where nothing is. */
export type UnderWay = () => Promise<void> | undefined;

/** No time passes while something is under way: a database takes none, as those in the story see it. */
export function createVirtualClock(start: Instant, underWay: UnderWay = () => undefined): VirtualClock {
  const everybodyElse = async (): Promise<void> => {
    await everybodyHere();
    for (let call = underWay(); call !== undefined; call = underWay()) {
      await call;
      await everybodyHere();
    }
  };
  const sleepers: Sleeper[] = [];
  /** What has passed since the start, and how far the hands were moved besides. */
  let passedMs = 0;
  let movedMs = 0;
  const now = (): Instant => instant(start + passedMs + movedMs);
  const wakeUntil = async (untilMs: number): Promise<void> => {
    for (let next = sleepers[0]; next !== undefined && next.dueMs <= untilMs; next = sleepers[0]) {
      passedMs = next.dueMs;
      sleepers.shift();
      next.wake();
      await everybodyElse();
    }
  };
  return {
    now,
    sleep: async (ms, signal) => {
      // Also for what is no number: nobody would ever be woken from it.
      if (!(ms > 0) || signal?.aborted === true) return;
      await new Promise<void>((resolve) => {
        const sleeper: Sleeper = {
          dueMs: passedMs + ms,
          wake: () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        const abort = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          sleeper.wake();
        };
        signal?.addEventListener("abort", abort);
        lieDown(sleepers, sleeper);
      });
    },
    advance: async (ms) => {
      const untilMs = passedMs + ms;
      await everybodyElse();
      await wakeUntil(untilMs);
      passedMs = untilMs;
    },
    set: (to) => {
      movedMs = to - start - passedMs;
    },
    nextWake: () => {
      const next = sleepers[0];
      return next === undefined ? undefined : instant(start + next.dueMs + movedMs);
    },
  };
}

interface Sleeper {
  readonly dueMs: number;
  wake(): void;
}

/** Behind everybody who wakes no later, so that equal times wake in the order in which they lay down. */
function lieDown(sleepers: Sleeper[], sleeper: Sleeper): void {
  const before = sleepers.findLastIndex(({ dueMs }) => dueMs <= sleeper.dueMs);
  sleepers.splice(before + 1, 0, sleeper);
}

/** Resolves when every promise that can go on has done so: immediates come after all of them. */
async function everybodyHere(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
