import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Log } from "#ports/log.ts";
import { type QueueName, queueNames } from "#ports/queue.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createQueueSlots } from "#reconcile/queue-slots.ts";
import type { Work } from "#reconcile/reconciler.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import { runWorkers, type WorkersOptions } from "#reconcile/workers.ts";
import { at } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const poke = { queue: "tick", at: null, whileRunning: "keep", priority: 2, payload: null } as const;

/** Workers whose work lasts a minute, on a queue in memory. */
function open(over: Partial<WorkersOptions> = {}) {
  const clock = createVirtualClock(at(0));
  const queue = createMemoryQueue({ clock, random: createSeededRandom(1) });
  const wake = createWakeSignal(clock);
  const begun: string[] = [];
  const ended: string[] = [];
  const errors: string[] = [];
  const log: Log = { info: () => undefined, warn: () => undefined, error: (_, message) => void errors.push(message) };
  const take = async (queues: readonly QueueName[] = queueNames): Promise<Work | null> => {
    const claimed = await queue.claim({ queues, leaseMs: 10 * minuteMs });
    if (claimed === null) return null;
    begun.push(claimed.key);
    const run = async (): Promise<void> => {
      await clock.sleep(minuteMs);
      ended.push(claimed.key);
      await queue.finish(claimed);
    };
    return { queue: claimed.queue, run };
  };
  const slots = createQueueSlots({ workers: 2, onOpened: () => wake.notify() });
  const stop = new AbortController();
  const ending = runWorkers({ reconciler: { claimNext: take }, queue, clock, log, wake, slots, ...over }, stop.signal);
  return { clock, queue, wake, slots, begun, ended, errors, stop, ending };
}

describe("workers", () => {
  it("deal with several entries at the same time, and never with more than they may", async () => {
    const { clock, queue, begun, stop, ending } = open();
    for (const key of ["a", "b", "c"]) await queue.put({ ...poke, key });
    await clock.advance(10 * secondMs);
    expect(begun).toEqual(["a", "b"]);
    await clock.advance(minuteMs);
    expect(begun).toEqual(["a", "b", "c"]);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });

  it("keep a slot for each kind of work, whatever waits of the others", async () => {
    const { clock, queue, begun, stop, ending } = open();
    for (const key of ["a", "b", "c"]) await queue.put({ ...poke, key });
    await clock.advance(10 * secondMs);
    for (const name of ["review", "talk", "session"] as const) await queue.put({ ...poke, queue: name, key: name });
    await queue.put({ ...poke, queue: "review", key: "second review" });
    await clock.advance(10 * secondMs);
    expect(begun).toEqual(["a", "b", "review", "talk", "session"]);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });

  it("begin another one while one only waits for its turn to write", async () => {
    const { clock, queue, slots, begun, stop, ending } = open();
    for (const key of ["a", "b", "c", "d"]) await queue.put({ ...poke, key });
    await clock.advance(10 * secondMs);
    expect(begun).toEqual(["a", "b"]);
    slots.noteWaiting(1);
    await clock.advance(0);
    expect(begun).toEqual(["a", "b", "c"]);
    slots.noteWaiting(-1);
    await clock.advance(10 * secondMs);
    expect(begun).toEqual(["a", "b", "c"]);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });

  it("begin when they are woken, and without that a few seconds later", async () => {
    const { clock, queue, wake, begun, stop, ending } = open();
    await clock.advance(100);
    await queue.put({ ...poke, key: "rung" });
    wake.notify();
    await clock.advance(0);
    expect(begun).toEqual(["rung"]);
    await queue.put({ ...poke, key: "unheard" });
    await clock.advance(5 * secondMs);
    expect(begun).toEqual(["rung", "unheard"]);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });

  it("hear a bell that rang while nobody was waiting", async () => {
    const { clock, queue, wake, begun, stop, ending } = open();
    wake.notify();
    await queue.put({ ...poke, key: "a" });
    await clock.advance(20);
    expect(begun).toEqual(["a"]);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });

  it("begin what is due later when it is due", async () => {
    const { clock, queue, begun, stop, ending } = open();
    await queue.put({ ...poke, key: "later", at: at(10) });
    await clock.advance(10 * minuteMs - 1);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(["later"]);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });

  it("end what they have begun before they stop, and begin nothing new", async () => {
    const { clock, queue, begun, ended, stop, ending } = open();
    await queue.put({ ...poke, key: "a" });
    await clock.advance(secondMs * 6);
    stop.abort();
    await queue.put({ ...poke, key: "b" });
    await clock.advance(minuteMs);
    await ending;
    expect(begun).toEqual(["a"]);
    expect(ended).toEqual(["a"]);
  });

  it("go on after the queue was away, and after a work that could not be given back", async () => {
    let calls = 0;
    const { clock, errors, stop, ending } = open({
      reconciler: {
        claimNext: async () => {
          calls++;
          if (calls === 1) throw new Error("no connection");
          return calls > 2
            ? null
            : {
                queue: "tick",
                run: async () => {
                  throw new Error("no connection");
                },
              };
        },
      },
    });
    await clock.advance(minuteMs);
    expect(errors).toEqual(["the queue does not answer", "an entry could not be released"]);
    expect(calls).toBeGreaterThan(3);
    stop.abort();
    await clock.advance(minuteMs);
    await ending;
  });
});
