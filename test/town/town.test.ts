import { describe, expect, inject, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import { openTownDatabase } from "./database.ts";
import { sleepsAt } from "./fate.ts";
import { buildTown, type Town } from "./town.ts";

async function isRemembered(town: Town): Promise<boolean> {
  const { instance, store } = town.dependencies;
  return (await store.findPull(pullKeyOf(instance, { repository: town.repository, number: 1 }))) !== undefined;
}

async function townWithPull(): Promise<Town> {
  const town = await buildTown();
  await town.open();
  await town.pass(minuteMs);
  return town;
}

describe("the database of a town", () => {
  it("outlives whoever uses it, unless it is in memory", async () => {
    const database = await openTownDatabase();
    const place = { clock: createVirtualClock(at(0)), random: createSeededRandom(1) };
    const step = { job: "a job", step: "a step" };
    await database.settle("town", place).store.saveStep(step, "a result");
    const isInMemory = inject("townEngine") === "memory";
    expect(await database.settle("town", place).store.findStep(step)).toBe(isInMemory ? undefined : "a result");
  });

  it("holds what was seen of a pull until it is lost, and not what was seen in another town", async () => {
    const town = await townWithPull();
    expect(await isRemembered(town)).toBe(true);
    expect(await isRemembered(await buildTown())).toBe(false);
    await town.loseDatabase();
    expect(await isRemembered(town)).toBe(false);
  });

  it("loses what waits in the queue too", async () => {
    const town = await buildTown();
    town.dismissAll();
    await town.open();
    await town.clock.advance(0);
    expect(await town.dependencies.queue.nextDue(["tick"])).toBeDefined();
    await town.loseDatabase();
    expect(await town.dependencies.queue.nextDue(["tick"])).toBeUndefined();
  });

  it("shows what is put into the queue to whoever asks next", async () => {
    const town = await buildTown();
    const pull = await town.open();
    const key = pullKeyOf(town.dependencies.instance, pull);
    expect(await town.dependencies.queue.find({ queue: "tick", key })).toBe("waiting");
  });
});

describe("a town in which nobody is free", () => {
  it("lets the time pass until somebody is, and does not ask at each moment", async () => {
    let questions = 0;
    const town = await buildTown({
      parts: ({ queue }) => ({ queue: { ...queue, nextDue: (names) => (questions++, queue.nextDue(names)) } }),
    });
    town.dismissAll();
    town.hire({}, sleepsAt({ call: "queue.claim", side: "before" }, { clock: town.clock, ms: 5 * minuteMs }));
    await town.open();
    await town.pass(4 * minuteMs);
    expect(town.reports).toEqual([]);
    expect(questions).toBeLessThan(10);
    await town.pass(2 * minuteMs);
    expect(town.reports.length).toBeGreaterThan(0);
  });
});
