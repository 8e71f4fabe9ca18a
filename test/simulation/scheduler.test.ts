import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Instant, instant } from "#core/model/instant.ts";
import { createScheduler, newLife, type Scheduler } from "./scheduler.ts";

const start = instant(1_000);

async function runAll(scheduler: Scheduler, until: Instant): Promise<void> {
  while ((await scheduler.step(until)) !== undefined);
}

describe("virtual time", () => {
  it("lets events happen in order of time, and of planning where the times are equal", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 60 }), async (times) => {
        const scheduler = createScheduler(start);
        const seen: string[] = [];
        for (const [index, ms] of times.entries()) {
          scheduler.plan({ at: instant(start + ms), life: null, happen: () => seen.push(`${ms} ${index}`) });
        }
        await runAll(scheduler, instant(start + 100));
        const expected = times
          .map((ms, index) => ({ ms, index }))
          .sort((left, right) => left.ms - right.ms || left.index - right.index)
          .map(({ ms, index }) => `${ms} ${index}`);
        expect(seen).toEqual(expected);
      }),
    );
  });

  it("lets all that follows from an event happen before the next one", async () => {
    const scheduler = createScheduler(start);
    const seen: string[] = [];
    const first = async (): Promise<void> => {
      await scheduler.pass(null, 10);
      seen.push("first");
      for (let turn = 0; turn < 100; turn++) await Promise.resolve();
      seen.push("after many turns");
    };
    const second = async (): Promise<void> => {
      await scheduler.pass(null, 11);
      seen.push("second");
    };
    void first();
    void second();
    await runAll(scheduler, instant(start + 100));
    expect(seen).toEqual(["first", "after many turns", "second"]);
    expect(scheduler.now()).toBe(start + 100);
  });

  it("forgets what a process that has ended was about to do", async () => {
    const scheduler = createScheduler(start);
    const life = newLife("worker");
    let hasHappened = false;
    scheduler.plan({ at: instant(start + 5), life, happen: () => (hasHappened = true) });
    life.isOver = true;
    await runAll(scheduler, instant(start + 100));
    expect(hasHappened).toBe(false);
  });

  it("makes up for it after a pause, late", async () => {
    const scheduler = createScheduler(start);
    const life = newLife("worker");
    let at = 0;
    scheduler.plan({ at: instant(start + 5), life, happen: () => (at = scheduler.now()) });
    life.frozenUntil = instant(start + 60);
    await runAll(scheduler, instant(start + 100));
    expect(at).toBe(start + 60);
  });
});
