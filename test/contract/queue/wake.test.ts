import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { after } from "#core/model/instant.ts";
import type { Queue } from "#ports/queue.ts";
import { anEntry, leaseMs, mustTake, takeReview, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

/** What is done at first, and what that is to wake a worker then. */
interface Occasion {
  readonly name: string;
  readonly prepare: (queue: Queue, world: World) => Promise<(queue: Queue) => Promise<unknown>>;
}

const occasions: readonly Occasion[] = [
  { name: "what is put in and due", prepare: async () => async (queue) => queue.put(anEntry()) },
  {
    name: "many that are put in",
    prepare: async () => async (queue) => queue.putAll([anEntry(), anEntry({ key: "two" })]),
  },
  {
    name: "a timer that is brought forward",
    prepare: async (queue, world) => {
      await queue.put(anEntry({ at: after(world.now(), 500) }));
      return async (by) => by.put(anEntry());
    },
  },
  {
    name: "a poke that was kept until the end of a run",
    prepare: async (queue) => {
      await queue.put(anEntry());
      const claimed = await mustTake(queue);
      await queue.put(anEntry());
      return async (by) => by.finish(claimed);
    },
  },
  {
    name: "an entry that a worker hands back",
    prepare: async (queue, world) => {
      await queue.put(anEntry());
      const claimed = await mustTake(queue);
      return async (by) => by.retry(claimed, world.now());
    },
  },
  {
    name: "a buried entry that is put back",
    prepare: async (queue) => {
      await queue.put(anEntry());
      await queue.quarantine(await mustTake(queue), "it fails");
      return async (by) => by.restore(anEntry());
    },
  },
  {
    name: "room in a queue that was full",
    prepare: async (queue) => {
      await queue.putAll(["one", "two"].map((key) => anEntry({ queue: "review", key })));
      const claimed = await takeReview(queue);
      if (claimed === null) throw new Error("nothing is due");
      return async (by) => by.finish(claimed);
    },
  },
];

/** What never comes fails the test by this limit, however slow the machine. */
const patience = { timeout: 30_000 };

describe.each(worlds)("whoever waits, in $name", ({ open, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  let other: Queue;
  beforeEach(async () => {
    world = await open({ limits: { review: 1 } });
    [queue, other] = world.queues;
  });
  afterEach(async () => world.close());

  it.each(occasions)("is woken by $name", async ({ prepare }) => {
    const act = await prepare(queue, world);
    const listener = vi.fn<() => void>();
    const waking = await other.onWake(listener);
    await act(queue);
    await vi.waitFor(() => expect(listener).toHaveBeenCalled(), patience);
    await waking.stop();
  });

  it("sleeps on while nothing becomes due, and once it has stopped", async () => {
    await queue.put(anEntry({ at: after(world.now(), 500) }));
    await queue.putAll([anEntry({ key: "two" }), anEntry({ key: "three" })]);
    const [claimed, another] = [await mustTake(queue), await mustTake(queue)];
    const listener = vi.fn<() => void>();
    const waking = await other.onWake(listener);
    await queue.put(anEntry({ at: after(world.now(), 300) }));
    await queue.put(anEntry({ key: "two" }));
    await queue.extend(claimed, 2 * leaseMs);
    await queue.retry(another, after(world.now(), 300));
    await waking.stop();
    const last = vi.fn<() => void>();
    const lastWaking = await other.onWake(last);
    await queue.put(anEntry({ key: "four" }));
    await vi.waitFor(() => expect(last).toHaveBeenCalled(), patience);
    await lastWaking.stop();
    expect(listener).not.toHaveBeenCalled();
  });
});
