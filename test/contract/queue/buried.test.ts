import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after } from "#core/model/instant.ts";
import type { Queue } from "#ports/queue.ts";
import { anEntry, drain, leaseMs, mustTake, takeTick, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("what is buried, in $name", ({ open, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  let other: Queue;
  beforeEach(async () => {
    world = await open();
    [queue, other] = world.queues;
  });
  afterEach(async () => world.close());

  async function buryOne(): Promise<void> {
    await queue.put(anEntry({ payload: { number: 7 }, priority: 2 }));
    await queue.retry(await mustTake(queue), world.now());
    await queue.quarantine(await mustTake(queue), "the answer cannot be read");
  }

  it("is nothing at first", async () => {
    expect(await queue.listQuarantined()).toEqual([]);
    expect(await queue.restore(anEntry())).toBe("not_there");
  });

  it("is shown to everybody with its payload, its attempts and the reason", async () => {
    await buryOne();
    const expected = { queue: "tick", key: "one", payload: { number: 7 }, priority: 2, attempts: 2 };
    expect(await other.listQuarantined()).toEqual([
      { ...expected, why: "the answer cannot be read", since: world.now() },
    ]);
  });

  it("is listed oldest first, over all queues", async () => {
    for (const name of ["two", "one", "three"]) {
      await queue.put(anEntry({ key: name, queue: name === "one" ? "review" : "tick" }));
      const claimed = await queue.claim({ queues: ["tick", "review"], leaseMs });
      if (claimed !== null) await queue.quarantine(claimed, name);
      await world.pass(1);
    }
    expect((await queue.listQuarantined()).map(({ why }) => why)).toEqual(["two", "one", "three"]);
  });

  it("is not tried again by itself, and counts neither as waiting nor as running", async () => {
    await buryOne();
    await world.pass(100 * leaseMs);
    expect(await takeTick(other)).toBeNull();
    expect(await queue.find(anEntry())).toBeUndefined();
    expect(await queue.nextDue(["tick"])).toBeUndefined();
  });

  it("is due at once when it is put back, as if it had never been tried", async () => {
    await buryOne();
    await world.pass(500);
    expect(await other.restore(anEntry())).toBe("put_back");
    expect(await other.restore(anEntry())).toBe("not_there");
    expect(await queue.listQuarantined()).toEqual([]);
    expect(await mustTake(queue)).toMatchObject({ payload: { number: 7 }, priority: 2, attempt: 1 });
  });

  it.each(["keep", "skip"] as const)("is replaced by what is put in under its key (%s)", async (whileRunning) => {
    await buryOne();
    await other.put(anEntry({ payload: "new", priority: 3, at: after(world.now(), 200), whileRunning }));
    expect(await queue.listQuarantined()).toEqual([]);
    expect(await takeTick(queue)).toBeNull();
    await world.pass(200);
    expect(await mustTake(queue)).toMatchObject({ payload: "new", priority: 3, attempt: 1 });
  });

  it("gives way at once to a poke that was kept while it was running", async () => {
    await queue.put(anEntry({ payload: "first" }));
    await queue.retry(await mustTake(queue), world.now());
    const claimed = await mustTake(queue);
    await other.put(anEntry({ payload: "second" }));
    await queue.quarantine(claimed, "it fails");
    expect(await queue.listQuarantined()).toEqual([]);
    expect(await mustTake(queue)).toMatchObject({ payload: "second", attempt: 1 });
  });

  it("is not made of an entry that its worker has lost", async () => {
    await queue.put(anEntry());
    const lost = await mustTake(queue);
    await world.pass(leaseMs);
    const held = await mustTake(other);
    await queue.quarantine(lost, "late");
    expect(await queue.listQuarantined()).toEqual([]);
    expect(await other.extend(held, leaseMs)).toBe("kept");
    await other.cancel(anEntry());
    await other.quarantine(held, "cancelled");
    expect(await queue.listQuarantined()).toEqual([]);
  });

  it("leaves its worker nothing to hold", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    await queue.quarantine(claimed, "it fails");
    expect(await queue.extend(claimed, leaseMs)).toBe("lost");
    await queue.finish(claimed);
    await queue.retry(claimed, world.now());
    expect(await queue.listQuarantined()).toHaveLength(1);
    expect(await drain(queue)).toEqual([]);
  });

  it("is gone when it is cancelled", async () => {
    await buryOne();
    await other.cancel(anEntry());
    expect(await queue.listQuarantined()).toEqual([]);
    expect(await queue.restore(anEntry())).toBe("not_there");
  });

  it("does not touch what waits or runs under its key when nothing is buried", async () => {
    await queue.put(anEntry({ at: after(world.now(), 300) }));
    expect(await queue.restore(anEntry())).toBe("not_there");
    expect(await queue.nextDue(["tick"])).toBe(after(world.now(), 300));
  });
});
