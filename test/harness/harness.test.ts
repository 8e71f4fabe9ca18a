import { describe, expect, inject, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import { openHarnessDatabase } from "./database.ts";
import { sleepsAt } from "./fate.ts";
import { buildHarness, type Harness } from "./harness.ts";

async function isRemembered(harness: Harness): Promise<boolean> {
  const { instance, store } = harness.dependencies;
  return (await store.findPull(pullKeyOf(instance, { repository: harness.repository, number: 1 }))) !== undefined;
}

async function harnessWithPull(): Promise<Harness> {
  const harness = await buildHarness();
  await harness.open();
  await harness.pass(minuteMs);
  return harness;
}

describe("the database of a harness", () => {
  it("outlives whoever uses it, unless it is in memory", async () => {
    const database = await openHarnessDatabase();
    const place = { clock: createVirtualClock(at(0)), random: createSeededRandom(1) };
    const step = { job: "a job", step: "a step" };
    await database.settle("harness", place).store.saveStep(step, "a result");
    const isInMemory = inject("harnessEngine") === "memory";
    expect(await database.settle("harness", place).store.findStep(step)).toBe(isInMemory ? undefined : "a result");
  });

  it("holds what was seen of a pull until it is lost, and not what was seen in another harness", async () => {
    const harness = await harnessWithPull();
    expect(await isRemembered(harness)).toBe(true);
    expect(await isRemembered(await buildHarness())).toBe(false);
    await harness.loseDatabase();
    expect(await isRemembered(harness)).toBe(false);
  });

  it("loses what waits in the queue too", async () => {
    const harness = await buildHarness();
    harness.dismissAll();
    await harness.open();
    await harness.clock.advance(0);
    expect(await harness.dependencies.queue.nextDue(["tick"])).toBeDefined();
    await harness.loseDatabase();
    expect(await harness.dependencies.queue.nextDue(["tick"])).toBeUndefined();
  });

  it("shows what is put into the queue to whoever asks next", async () => {
    const harness = await buildHarness();
    const pull = await harness.open();
    const key = pullKeyOf(harness.dependencies.instance, pull);
    expect(await harness.dependencies.queue.find({ queue: "tick", key })).toBe("waiting");
  });
});

describe("a harness in which nobody is free", () => {
  it("lets the time pass until somebody is, and does not ask at each moment", async () => {
    let questions = 0;
    const harness = await buildHarness({
      parts: ({ queue }) => ({ queue: { ...queue, nextDue: (names) => (questions++, queue.nextDue(names)) } }),
    });
    harness.dismissAll();
    harness.hire({}, sleepsAt({ call: "queue.claim", side: "before" }, { clock: harness.clock, ms: 5 * minuteMs }));
    await harness.open();
    await harness.pass(4 * minuteMs);
    expect(harness.reports).toEqual([]);
    expect(questions).toBeLessThan(10);
    await harness.pass(2 * minuteMs);
    expect(harness.reports.length).toBeGreaterThan(0);
  });
});
