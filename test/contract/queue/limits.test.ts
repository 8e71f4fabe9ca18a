import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after } from "#core/model/instant.ts";
import type { ClaimedEntry, Queue } from "#ports/queue.ts";
import { anEntry, leaseMs, takeReview, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

const limit = 2;

describe.each(worlds)("a limit on what is running, in $name", ({ open, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  let other: Queue;
  beforeEach(async () => {
    world = await open({ limits: { review: limit, session: 0 } });
    [queue, other] = world.queues;
    for (const key of ["one", "two", "three", "four"]) await queue.put(anEntry({ queue: "review", key }));
  });
  afterEach(async () => world.close());

  /** As many as may run, one for each worker. */
  async function fill(): Promise<readonly [ClaimedEntry, ClaimedEntry]> {
    const [first, second] = [await takeReview(queue), await takeReview(other)];
    if (first === null || second === null) throw new Error("the limit holds too early");
    return [first, second];
  }

  it("lets nobody have another one, whoever has those", async () => {
    await fill();
    expect(await takeReview(queue)).toBeNull();
    expect(await takeReview(other)).toBeNull();
    expect(await queue.find(anEntry({ queue: "review", key: "three" }))).toBe("waiting");
  });

  it("does not hold up other queues, be they less urgent", async () => {
    await fill();
    await queue.put(anEntry({ key: "tick", priority: 5 }));
    expect(await queue.claim({ queues: ["review", "tick"], leaseMs })).toMatchObject({ queue: "tick" });
    expect(await other.claim({ queues: ["review", "tick"], leaseMs })).toBeNull();
  });

  it("may shut a queue altogether", async () => {
    await queue.put(anEntry({ queue: "session", priority: 1 }));
    expect(await queue.claim({ queues: ["session"], leaseMs })).toBeNull();
    expect(await queue.nextDue(["session"])).toBeUndefined();
    expect(await queue.claim({ queues: ["session", "review"], leaseMs })).toMatchObject({ queue: "review" });
  });

  it.each<{ name: string; end: (by: Queue, claimed: ClaimedEntry) => Promise<void> }>([
    { name: "finished", end: async (by, claimed) => by.finish(claimed) },
    { name: "put off", end: async (by, claimed) => by.retry(claimed, after(world.now(), 60_000)) },
    { name: "buried", end: async (by, claimed) => by.quarantine(claimed, "it fails") },
    { name: "cancelled", end: async (by, claimed) => by.cancel(claimed) },
  ])("lets the next one run when one is $name", async ({ end }) => {
    const [first] = await fill();
    await end(queue, first);
    expect(await takeReview(other)).toMatchObject({ key: "three", attempt: 1 });
    expect(await takeReview(other)).toBeNull();
  });

  it("does not count those whose lease has run out, until somebody takes them over", async () => {
    await fill();
    await world.pass(leaseMs);
    const keys = [await takeReview(other), await takeReview(queue), await takeReview(queue)].map(
      (claimed) => claimed?.key,
    );
    // What was put in first has been due longer than a lease that has just run out.
    expect(keys).toEqual(["three", "four", undefined]);
    await world.pass(leaseMs);
    expect([await takeReview(other), await takeReview(queue)].map((claimed) => claimed?.attempt)).toEqual([2, 2]);
    expect(await takeReview(queue)).toBeNull();
  });

  it("lets a worker keep what it has when the queue is full", async () => {
    const [first] = await fill();
    await world.pass(leaseMs - 1);
    expect(await queue.extend(first, leaseMs)).toBe("kept");
  });

  it("lets a worker that slept keep its entry only where there is room for it", async () => {
    const [first, second] = await fill();
    await world.pass(leaseMs);
    expect(await queue.extend(first, 2 * leaseMs)).toBe("kept");
    expect(await takeReview(queue)).toMatchObject({ key: "three" });
    expect(await other.extend(second, leaseMs)).toBe("lost");
    await queue.finish(first);
    expect(await takeReview(other)).toMatchObject({ key: "four" });
  });

  it("is told to whoever waits: the next is due when a lease runs out, or at once when there is room", async () => {
    const [first] = await fill();
    await world.pass(300);
    expect(await queue.nextDue(["review"])).toBe(first.leaseUntil);
    expect(await queue.nextDue(["review", "landing"])).toBe(first.leaseUntil);
    await queue.put(anEntry({ queue: "landing", at: after(world.now(), 100) }));
    expect(await queue.nextDue(["review", "landing"])).toBe(after(world.now(), 100));
    await queue.finish(first);
    expect(await queue.nextDue(["review"])).toBeLessThanOrEqual(world.now());
  });

  it("holds when all reach for entries at the same moment, again and again", async () => {
    const more = Array.from({ length: 20 }, (_, index) => anEntry({ queue: "review", key: `more/${index}` }));
    await queue.putAll(more);
    let running = 0;
    let most = 0;
    const done: string[] = [];
    const work = async (by: Queue): Promise<void> => {
      while (done.length < more.length + 4) {
        const claimed = await takeReview(by);
        if (claimed === null) continue;
        running += 1;
        most = Math.max(most, running);
        await by.extend(claimed, leaseMs);
        // Counted down before the queue is told: from then on another one may run.
        running -= 1;
        await by.finish(claimed);
        done.push(claimed.key);
      }
    };
    await Promise.all([queue, other, queue, other, queue, other].map(work));
    expect(most).toBeLessThanOrEqual(limit);
    expect(new Set(done).size).toBe(more.length + 4);
  });
});
