import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Queue } from "#ports/queue.ts";
import { anEntry, takeTick, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

/** Fewer keys than workers: most pokes meet a run. */
const keysMax = 5;
const loops = 8;

describe.each(worlds)("workers that run at the same time, in $name", ({ open, races, need }) => {
  beforeEach(need);
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(async () => world.close());

  it("never have one key twice at once, and leave nothing undone", async () => {
    const poked = new Map<string, number>();
    const looked = new Map<string, number>();
    const running = new Set<string>();
    const twice: string[] = [];
    let puts = 0;
    /** After the last poke of each key there must be a look at it. */
    const poke = async (by: Queue): Promise<void> => {
      const key = `key/${puts % keysMax}`;
      puts += 1;
      poked.set(key, puts);
      await by.put(anEntry({ key, priority: 1 + (puts % 3) }));
    };
    const run = async (by: Queue): Promise<"worked" | "idle"> => {
      const claimed = await takeTick(by);
      if (claimed === null) return "idle";
      if (running.has(claimed.key)) twice.push(claimed.key);
      running.add(claimed.key);
      looked.set(claimed.key, poked.get(claimed.key) ?? 0);
      await by.extend(claimed, 1000);
      running.delete(claimed.key);
      await by.finish(claimed);
      return "worked";
    };
    const isOver = (): boolean => puts >= races;
    const work = async (by: Queue): Promise<void> => {
      while (!isOver()) {
        await poke(by);
        await run(by);
      }
    };
    const [queue, other] = world.queues;
    await Promise.all(Array.from({ length: loops }, (_, nth) => work(nth % 2 === 0 ? queue : other)));
    while ((await run(queue)) === "worked");
    expect(twice).toEqual([]);
    expect(looked).toEqual(poked);
    expect(await queue.nextDue(["tick"])).toBeUndefined();
  });

  it("do not wait for each other when they put in the same entries in another order", async () => {
    const entries = Array.from({ length: 300 }, (_, index) => anEntry({ key: `key/${index}` }));
    const [queue, other] = world.queues;
    for (let round = 0; round < 3; round++) {
      const orders = [entries, entries.toReversed(), entries, entries.toReversed()];
      await Promise.all(orders.map((order, nth) => (nth < 2 ? queue : other).putAll(order)));
    }
    const found = await Promise.all(entries.map((entry) => queue.find(entry)));
    expect(new Set(found)).toEqual(new Set(["waiting"]));
  });
});
