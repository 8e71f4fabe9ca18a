import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type QueueName, queueNames } from "#ports/queue.ts";
import { openQueues, waitingMax } from "#reconcile/queue-slots.ts";

const someRunning = fc
  .array(fc.nat({ max: 8 }), { minLength: queueNames.length, maxLength: queueNames.length })
  .map((counts) => new Map(queueNames.map((queue, index) => [queue, counts[index] ?? 0])));

/** What is put in is begun for as long as it may be. */
function fill(queues: readonly QueueName[], workers: number): ReadonlyMap<QueueName, number> {
  const running = new Map<QueueName, number>();
  for (;;) {
    const next = openQueues(running, { workers, waiting: 0 }).find((queue) => queues.includes(queue));
    if (next === undefined) return running;
    running.set(next, (running.get(next) ?? 0) + 1);
  }
}

describe("the slots of a process", () => {
  it("are open to every queue of which nothing runs, whatever runs of the others", () => {
    fc.assert(
      fc.property(someRunning, fc.integer({ min: 1, max: 64 }), fc.nat({ max: 100 }), (running, workers, waiting) => {
        const open = openQueues(running, { workers, waiting });
        expect(open).toEqual(expect.arrayContaining(queueNames.filter((queue) => running.get(queue) === 0)));
      }),
    );
  });

  it.each(queueNames)("let so many of one queue run as there are workers: %s", (queue) => {
    expect(fill([queue], 4)).toEqual(new Map([[queue, 4]]));
  });

  it("let one of each kind run beside those of another, and no more", () => {
    const running = fill(queueNames, 4);
    const count = [...running.values()].reduce((sum, one) => sum + one, 0);
    expect(count).toBe(3 + queueNames.length);
  });

  it("are not taken by those that wait for their turn to write, up to a bound", () => {
    const running = new Map<QueueName, number>([["tick", 4]]);
    expect(openQueues(running, { workers: 4, waiting: 0 })).not.toContain("tick");
    expect(openQueues(running, { workers: 4, waiting: 1 })).toContain("tick");
    const many = new Map<QueueName, number>([["tick", 4 + waitingMax]]);
    expect(openQueues(many, { workers: 4, waiting: 4 + waitingMax })).not.toContain("tick");
  });
});
