import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after } from "#core/model/instant.ts";
import type { Queue } from "#ports/queue.ts";
import { anEntry, drain, leaseMs, mustTake, takeTick, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("what is running, in $name", ({ open, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  let other: Queue;
  beforeEach(async () => {
    world = await open();
    [queue, other] = world.queues;
  });
  afterEach(async () => world.close());

  it("keeps a poke that comes meanwhile until its end, and no longer", async () => {
    await queue.put(anEntry({ payload: "first" }));
    const claimed = await mustTake(queue);
    await other.put(anEntry({ payload: "second", whileRunning: "keep" }));
    expect(await takeTick(other)).toBeNull();
    await queue.finish(claimed);
    expect(await mustTake(other)).toMatchObject({ payload: "second", attempt: 1 });
  });

  it("keeps one of many pokes", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    for (const by of [queue, other, queue]) await by.put(anEntry());
    await queue.finish(claimed);
    expect(await drain(queue)).toEqual(["one"]);
  });

  it("makes the same work that comes meanwhile needless, where it is put so", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    await other.put(anEntry({ whileRunning: "skip" }));
    await queue.finish(claimed);
    expect(await queue.find(anEntry())).toBeUndefined();
    await queue.put(anEntry({ whileRunning: "skip" }));
    expect(await drain(queue)).toEqual(["one"]);
  });

  it("does not hold up other keys, nor its key in another queue", async () => {
    for (const each of [{}, { key: "two" }, { queue: "review" as const }]) await queue.put(anEntry(each));
    const keys = [await mustTake(queue), await mustTake(queue)].map(({ key }) => key);
    expect(keys).toEqual(["one", "two"]);
    expect(await queue.claim({ queues: ["review"], leaseMs })).toMatchObject({ key: "one" });
  });

  it("is taken over when its lease has run out, as another attempt with a token of its own", async () => {
    await queue.put(anEntry({ payload: "work", priority: 2 }));
    const first = await mustTake(queue);
    expect(await queue.nextDue(["tick"])).toBe(first.leaseUntil);
    await world.pass(leaseMs - 1);
    expect(await takeTick(other)).toBeNull();
    await world.pass(1);
    const second = await mustTake(other);
    expect(second).toMatchObject({ payload: "work", priority: 2, attempt: 2, leaseUntil: after(world.now(), leaseMs) });
    expect(second.token).not.toBe(first.token);
    await world.pass(leaseMs);
    expect(await mustTake(queue)).toMatchObject({ attempt: 3 });
  });

  it("tells how often in a row it was taken over, and forgets that with the first worker that comes back", async () => {
    await queue.put(anEntry());
    expect(await mustTake(queue)).toMatchObject({ takeovers: 0 });
    for (const takeovers of [1, 2, 3]) {
      await world.pass(leaseMs);
      expect(await mustTake(other)).toMatchObject({ takeovers });
    }
    await world.pass(leaseMs);
    const claimed = await mustTake(queue);
    expect(claimed).toMatchObject({ takeovers: 4 });
    await queue.retry(claimed, world.now());
    expect(await mustTake(queue)).toMatchObject({ takeovers: 0, attempt: 6 });
  });

  it("has not been taken over when another one waited for its end", async () => {
    await queue.put(anEntry());
    await mustTake(queue);
    await world.pass(leaseMs);
    const claimed = await mustTake(other);
    await queue.put(anEntry({ payload: "second" }));
    await other.finish(claimed);
    expect(await mustTake(queue)).toMatchObject({ payload: "second", takeovers: 0 });
  });

  it("stays with a worker that goes on extending its lease", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    for (let round = 0; round < 5; round++) {
      await world.pass(leaseMs - 1);
      expect(await queue.extend(claimed, leaseMs)).toBe("kept");
      expect(await takeTick(other)).toBeNull();
    }
    await world.pass(leaseMs);
    expect(await mustTake(other)).toMatchObject({ attempt: 2 });
  });

  it("is not taken earlier than its worker was told because of a shorter extension", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    expect(await queue.extend(claimed, 1)).toBe("kept");
    await world.pass(leaseMs - 1);
    expect(await takeTick(other)).toBeNull();
  });

  it("may be extended and finished after its lease ran out, as long as nobody took it", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    await world.pass(5 * leaseMs);
    expect(await queue.extend(claimed, leaseMs)).toBe("kept");
    expect(await takeTick(other)).toBeNull();
    await world.pass(5 * leaseMs);
    await queue.finish(claimed);
    expect(await takeTick(other)).toBeNull();
  });

  it("still comes first after its worker died, before a poke that was kept meanwhile", async () => {
    await queue.put(anEntry({ payload: "first" }));
    await mustTake(queue);
    await queue.put(anEntry({ payload: "second" }));
    await world.pass(leaseMs);
    const again = await mustTake(other);
    expect(again).toMatchObject({ payload: "first", attempt: 2 });
    expect(await takeTick(other)).toBeNull();
    await other.finish(again);
    expect(await mustTake(other)).toMatchObject({ payload: "second", attempt: 1 });
  });

  it("is not touched by a worker that lost it", async () => {
    await queue.put(anEntry());
    const lost = await mustTake(queue);
    await world.pass(leaseMs);
    const held = await mustTake(other);
    expect(await queue.extend(lost, 10 * leaseMs)).toBe("lost");
    await queue.finish(lost);
    await queue.retry(lost, world.now());
    expect(await queue.find(anEntry())).toBe("running");
    expect(await queue.nextDue(["tick"])).toBe(held.leaseUntil);
    expect(await other.extend(held, leaseMs)).toBe("kept");
    await other.finish(held);
    expect(await queue.extend(held, leaseMs)).toBe("lost");
    await queue.retry(held, world.now());
    expect(await queue.find(anEntry())).toBeUndefined();
  });

  it("is tried again at the time that was asked for, and counted", async () => {
    await queue.put(anEntry({ payload: "work", priority: 2 }));
    await queue.retry(await mustTake(queue), after(world.now(), 300));
    expect(await queue.find(anEntry())).toBe("waiting");
    expect(await queue.nextDue(["tick"])).toBe(after(world.now(), 300));
    await world.pass(299);
    expect(await takeTick(queue)).toBeNull();
    await world.pass(1);
    expect(await mustTake(other)).toMatchObject({ payload: "work", priority: 2, attempt: 2 });
  });

  it.each([
    { poke: 100, retry: 300, due: 100 },
    { poke: 300, retry: 100, due: 100 },
  ])("is merged with a poke for $poke ms when it is tried again in $retry ms", async ({ poke, retry, due }) => {
    const start = world.now();
    await queue.put(anEntry({ payload: "first" }));
    const claimed = await mustTake(queue);
    await other.put(anEntry({ payload: "second", at: after(start, poke) }));
    await queue.retry(claimed, after(start, retry));
    await world.pass(due - 1);
    expect(await takeTick(queue)).toBeNull();
    await world.pass(1);
    const merged = await mustTake(queue);
    expect(merged).toMatchObject({ payload: "second", attempt: 2 });
    await queue.finish(merged);
    await world.pass(1000);
    expect(await takeTick(queue)).toBeNull();
  });

  it("is brought forward by a poke while it waits to be tried again", async () => {
    await queue.put(anEntry());
    await queue.retry(await mustTake(queue), after(world.now(), 60_000));
    await other.put(anEntry());
    expect(await mustTake(queue)).toMatchObject({ attempt: 2 });
  });

  it("is taken out of its worker's hands by a cancellation, with whatever waits behind it; twice is once", async () => {
    await queue.put(anEntry());
    const claimed = await mustTake(queue);
    await queue.put(anEntry());
    await queue.put(anEntry({ key: "two" }));
    await other.cancel(anEntry());
    await other.cancel(anEntry());
    expect(await queue.find(anEntry())).toBeUndefined();
    expect(await queue.extend(claimed, leaseMs)).toBe("lost");
    await queue.retry(claimed, world.now());
    await queue.finish(claimed);
    await world.pass(10 * leaseMs);
    expect(await drain(queue)).toEqual(["two"]);
  });

  it("does not disturb its successor when it was cancelled", async () => {
    await queue.put(anEntry());
    const cancelled = await mustTake(queue);
    await queue.cancel(anEntry());
    await queue.put(anEntry({ whileRunning: "skip" }));
    const successor = await mustTake(other);
    expect(successor.attempt).toBe(1);
    await queue.finish(cancelled);
    await queue.retry(cancelled, world.now());
    expect(await queue.extend(cancelled, leaseMs)).toBe("lost");
    expect(await other.extend(successor, leaseMs)).toBe("kept");
  });

  it("is not there to be cancelled in another queue or under another key", async () => {
    await queue.put(anEntry());
    await queue.cancel(anEntry({ queue: "review" }));
    await queue.cancel(anEntry({ key: "two" }));
    expect(await drain(queue)).toEqual(["one"]);
  });
});
