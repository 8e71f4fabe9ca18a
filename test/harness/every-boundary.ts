import { inject } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { diesAt, type Fate, watchedFate } from "./fate.ts";
import { buildHarness, type Harness, type HarnessOptions } from "./harness.ts";

/** What happens before the worker that may die comes to work, and what it then finds to do. */
export interface Tale {
  readonly options: HarnessOptions;
  readonly before: (harness: Harness) => Promise<PullRef>;
  readonly after: (harness: Harness, pull: PullRef) => Promise<unknown>;
  /** Fails where something is missing or there twice. */
  readonly check: (harness: Harness, pull: PullRef) => void;
}

/** Nobody looks without a reason: that is not what the story is about, and hours of it would be thousands of looks. */
export const quiet = { approval: { pollMs: 10 * minuteMs } } as const;

/** What a worker needs that lives. */
const lifeMs = 10 * secondMs;
/** Long enough for leases to run out and for what is unknown to settle. */
const recoveryMs = 5 * minuteMs;
/** Of the boundaries that are crossed in memory, one of so many on a database: there each death takes a second. */
const sparedOnDatabase = 5;

/**
 * Lets the worker die after each call with which it leaves something behind when it lives, and answers how many there
 * were. To die before the next one is the same: nobody outside could tell the difference.
 */
export async function dieAtEveryBoundary(tale: Tale, { every = 1 } = {}): Promise<number> {
  const alive = watchedFate();
  const whole = await tell(tale, alive);
  tale.check(whole.harness, whole.pull);
  const boundaries = alive.crossings.flatMap(({ side }, number) => (side === "after" ? [number] : []));
  const step = inject("harnessEngine") === "memory" ? every : every * sparedOnDatabase;
  for (const number of boundaries.filter((_, index) => index % step === 0)) {
    const fate = diesAt(number);
    const { harness, pull } = await tell(tale, fate);
    await harness.pass(recoveryMs);
    try {
      if (!fate.isDead()) throw new Error("it did not come so far");
      tale.check(harness, pull);
    } catch (error) {
      const last = fate.crossings[number];
      throw new Error(`died ${last?.side} ${last?.call}, crossing ${number}`, { cause: error });
    }
  }
  return boundaries.length;
}

async function tell(
  { options, before, after }: Tale,
  fate: Fate,
): Promise<{ readonly harness: Harness; readonly pull: PullRef }> {
  const harness = await buildHarness(options);
  const pull = await before(harness);
  await harness.pass(2 * secondMs);
  harness.dismissAll();
  harness.hire({}, fate);
  await after(harness, pull);
  await harness.pass(lifeMs);
  return { harness, pull };
}
