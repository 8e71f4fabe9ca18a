import { describe, expect, it } from "vitest";
import { after, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Queue } from "#ports/queue.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { holdEntry } from "#reconcile/lease.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const leaseMs = minuteMs;
const request = { queues: ["review"], leaseMs } as const;

/** A worker that has taken an entry from a queue with a clock of its own. */
async function hold(aheadMs = 0) {
  const clock = createVirtualClock(at(0));
  const queueClock: Pick<Clock, "now"> = { now: () => after(clock.now(), aheadMs) };
  const queue = createMemoryQueue({ clock: queueClock, random: createSeededRandom(1) });
  await queue.put({ queue: "review", key: "one", at: null, whileRunning: "keep", priority: 2, payload: null });
  const taken = await queue.take(request);
  if (taken === null) throw new Error("nothing is due");
  const held = holdEntry({ queue, clock }, taken, { leaseMs, askedAt: clock.now() });
  return { clock, queue, taken, held };
}

describe("a lease", () => {
  it.each([-60, -1, 0, 1, 60])(
    "is kept for as long as the work takes, with the queue %d minutes ahead",
    async (ahead) => {
      const { clock, queue, held } = await hold(ahead * minuteMs);
      const heart = held.keepAlive();
      for (let second = 0; second < 300; second++) {
        await clock.advance(secondMs);
        expect(await queue.take(request)).toBeNull();
        expect(held.until()).toBeGreaterThan(clock.now());
      }
      await heart.stop();
      expect(held.signal.aborted).toBe(false);
    },
  );

  it("of work that nobody wants any more ends with the next beat, however much of it is left", async () => {
    const { clock, queue, taken, held } = await hold();
    const heart = held.keepAlive();
    await clock.advance(leaseMs - secondMs);
    await queue.cancel(taken);
    await clock.advance(leaseMs / 5);
    expect(held.signal.aborted).toBe(true);
    await heart.stop();
  });

  it("is not lost while the queue does not answer, and is when it has run out", async () => {
    const { clock, queue, taken } = await hold();
    const away: Pick<Queue, "extend"> = {
      extend: async () => {
        throw new Error("no connection");
      },
    };
    const held = holdEntry({ queue: { ...queue, ...away }, clock }, taken, { leaseMs, askedAt: clock.now() });
    const heart = held.keepAlive();
    await clock.advance(leaseMs - 1);
    expect(held.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(held.signal.aborted).toBe(true);
    await heart.stop();
  });
});
