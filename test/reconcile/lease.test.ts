import { describe, expect, it } from "vitest";
import { after, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Queue } from "#ports/queue.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createEntryLease } from "#reconcile/entry-lease.ts";
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
  const claimed = await queue.claim(request);
  if (claimed === null) throw new Error("nothing is due");
  const lease = createEntryLease({ queue, clock }, claimed, { leaseMs, askedAt: clock.now() });
  return { clock, queue, taken: claimed, held: lease };
}

describe("a lease", () => {
  it.each([-60, -1, 0, 1, 60])(
    "is kept for as long as the work takes, with the queue %d minutes ahead",
    async (ahead) => {
      const { clock, queue, held: lease } = await hold(ahead * minuteMs);
      const heart = lease.startHeartbeat();
      for (let second = 0; second < 300; second++) {
        await clock.advance(secondMs);
        expect(await queue.claim(request)).toBeNull();
        expect(lease.until()).toBeGreaterThan(clock.now());
      }
      await heart.stop();
      expect(lease.signal.aborted).toBe(false);
    },
  );

  it("of work that nobody wants any more ends with the next beat, however much of it is left", async () => {
    const { clock, queue, taken: claimed, held: lease } = await hold();
    const heart = lease.startHeartbeat();
    await clock.advance(leaseMs - secondMs);
    await queue.cancel(claimed);
    await clock.advance(leaseMs / 5);
    expect(lease.signal.aborted).toBe(true);
    await heart.stop();
  });

  it("is not lost while the queue does not answer, and is when it has run out", async () => {
    const { clock, queue, taken: claimed } = await hold();
    const away: Pick<Queue, "extend"> = {
      extend: async () => {
        throw new Error("no connection");
      },
    };
    const lease = createEntryLease({ queue: { ...queue, ...away }, clock }, claimed, { leaseMs, askedAt: clock.now() });
    const heart = lease.startHeartbeat();
    await clock.advance(leaseMs - 1);
    expect(lease.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(lease.signal.aborted).toBe(true);
    await heart.stop();
  });
});
