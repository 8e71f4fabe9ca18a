import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after, instant } from "#core/model/instant.ts";
import type { Queue } from "#ports/queue.ts";
import { anEntry, drain, leaseMs, mustTake, takeTick, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("what waits, in $name", ({ open, runs, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  let other: Queue;
  beforeEach(async () => {
    world = await open();
    [queue, other] = world.queues;
  });
  afterEach(async () => world.close());

  it("is nothing at first", async () => {
    expect(await takeTick(queue)).toBeNull();
    expect(await queue.find(anEntry())).toBeUndefined();
    expect(await queue.nextDue(["tick", "review"])).toBeUndefined();
  });

  it("is given to a worker with its payload, a token and the end of its lease", async () => {
    await queue.put(anEntry({ payload: { number: 12, reasons: ["opened"] }, priority: 2 }));
    expect(await queue.find(anEntry())).toBe("waiting");
    const claimed = await mustTake(other);
    expect(claimed).toEqual({
      queue: "tick",
      key: "one",
      priority: 2,
      payload: { number: 12, reasons: ["opened"] },
      origin: "",
      token: claimed.token,
      attempt: 1,
      takeovers: 0,
      leaseUntil: after(world.now(), leaseMs),
    });
    expect(claimed.token).not.toBe("");
    expect(await queue.find(anEntry())).toBe("running");
  });

  it("is given to one of those who reach for it at the same time", async () => {
    await queue.put(anEntry());
    const taken = await Promise.all([queue, other, queue, other].map(takeTick));
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
  });

  it("is gone once it is finished", async () => {
    await queue.put(anEntry());
    await other.finish(await mustTake(queue));
    expect(await queue.find(anEntry())).toBeUndefined();
    expect(await queue.nextDue(["tick"])).toBeUndefined();
    await world.pass(10 * leaseMs);
    expect(await takeTick(queue)).toBeNull();
  });

  it("is not due before its time", async () => {
    const at = after(world.now(), 500);
    await queue.put(anEntry({ at }));
    expect(await queue.nextDue(["tick"])).toBe(at);
    await world.pass(499);
    expect(await takeTick(queue)).toBeNull();
    await world.pass(1);
    expect(await takeTick(queue)).toMatchObject({ key: "one" });
  });

  it("is one entry per key, due at the earliest of the times that were asked for", async () => {
    const span = fc.constantFrom(null, -500, 0, 500, 1000, 2000);
    await fc.assert(
      fc.asyncProperty(fc.array(span, { minLength: 1, maxLength: 6 }), async (spans) => {
        const fresh = await open();
        const start = fresh.now();
        for (const [index, ms] of spans.entries()) {
          const at = ms === null ? null : after(start, ms);
          await (fresh.queues[index % 2] ?? fresh.queues[0]).put(anEntry({ at }));
        }
        const dueMs = Math.max(0, Math.min(...spans.map((ms) => ms ?? 0)));
        await fresh.pass(Math.max(0, dueMs - 1));
        expect(await drain(fresh.queues[0])).toEqual(dueMs === 0 ? ["one"] : []);
        await fresh.pass(1);
        expect(await drain(fresh.queues[0])).toEqual(dueMs === 0 ? [] : ["one"]);
        await fresh.pass(10_000);
        expect(await drain(fresh.queues[0])).toEqual([]);
        await fresh.close();
      }),
      { numRuns: Math.min(50, runs) },
    );
  });

  it("keeps its payload and its priority when it is put again", async () => {
    await queue.put(anEntry({ payload: "first", priority: 3 }));
    await queue.put(anEntry({ payload: "second", priority: 1 }));
    expect(await mustTake(queue)).toMatchObject({ payload: "first", priority: 3 });
  });

  it("cannot be changed through the payload that was given or taken", async () => {
    const payload = { heads: ["one"] };
    await queue.put(anEntry({ payload }));
    payload.heads.push("two");
    const claimed = await mustTake(queue);
    expect(claimed.payload).toEqual({ heads: ["one"] });
    if (typeof claimed.payload === "object" && claimed.payload !== null) Object.assign(claimed.payload, { heads: [] });
    await queue.retry(claimed, world.now());
    expect((await mustTake(queue)).payload).toEqual({ heads: ["one"] });
  });

  it("has a payload of plain JSON, which undefined is not", async () => {
    await expect(queue.put(anEntry({ payload: undefined }))).rejects.toThrow("plain JSON");
    expect(await queue.find(anEntry())).toBeUndefined();
  });

  it("comes by urgency, then by how long it has been due", async () => {
    const some = fc.record({ priority: fc.integer({ min: 1, max: 3 }), dueMs: fc.integer({ min: 1, max: 100 }) });
    const list = fc.uniqueArray(some, { minLength: 1, maxLength: 8, selector: ({ dueMs }) => dueMs });
    await fc.assert(
      fc.asyncProperty(list, async (wanted) => {
        const fresh = await open();
        for (const { priority, dueMs } of wanted) {
          await fresh.queues[0].put(anEntry({ key: `${priority}/${dueMs}`, priority, at: after(fresh.now(), dueMs) }));
        }
        await fresh.pass(100);
        const sorted = wanted.toSorted((left, right) => left.priority - right.priority || left.dueMs - right.dueMs);
        expect(await drain(fresh.queues[1])).toEqual(sorted.map(({ priority, dueMs }) => `${priority}/${dueMs}`));
        await fresh.close();
      }),
      { numRuns: Math.min(50, runs) },
    );
  });

  it("is not held up by something more urgent that is not due yet", async () => {
    await queue.put(anEntry({ key: "later", priority: 1, at: after(world.now(), 500) }));
    await queue.put(anEntry({ key: "now", priority: 3 }));
    expect(await drain(queue)).toEqual(["now"]);
  });

  it("is taken from the named queues alone, by urgency over all of them", async () => {
    await queue.put(anEntry({ queue: "review", priority: 3 }));
    await queue.put(anEntry({ queue: "talk", priority: 2 }));
    await queue.put(anEntry({ queue: "session", priority: 1 }));
    expect(await queue.claim({ queues: ["tick", "landing"], leaseMs })).toBeNull();
    expect(await queue.claim({ queues: [], leaseMs })).toBeNull();
    expect(await queue.claim({ queues: ["review", "talk"], leaseMs })).toMatchObject({ queue: "talk", key: "one" });
    expect(await queue.claim({ queues: ["review", "talk"], leaseMs })).toMatchObject({ queue: "review", key: "one" });
    expect(await queue.find(anEntry({ queue: "session" }))).toBe("waiting");
    expect(await queue.find(anEntry({ queue: "talk" }))).toBe("running");
  });

  it("says when something will be due: the earliest over the named queues", async () => {
    const start = world.now();
    await queue.put(anEntry({ at: after(start, 900) }));
    await queue.put(anEntry({ key: "two", at: after(start, 700) }));
    await queue.put(anEntry({ queue: "review", at: after(start, 300) }));
    expect(await queue.nextDue(["tick"])).toBe(after(start, 700));
    expect(await queue.nextDue(["tick", "review"])).toBe(after(start, 300));
    expect(await queue.nextDue(["landing"])).toBeUndefined();
    await queue.put(anEntry({ at: null }));
    expect(await queue.nextDue(["tick"])).toBeLessThanOrEqual(world.now());
    await queue.put(anEntry({ queue: "talk", at: instant(start - 5000) }));
    expect(await queue.nextDue(["talk"])).toBeLessThanOrEqual(world.now());
  });
});
