import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import type { ClaimedEntry, Queue } from "#ports/queue.ts";
import { contradictionsOf, someSteps } from "./interleaving.ts";
import { memoryWorld } from "./memory-world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("workers of $name", ({ open, runs, need }) => {
  beforeEach(need);

  it("never share a key, lose no poke and do nothing with an old token, however they interleave and die", async () => {
    await fc.assert(
      fc.asyncProperty(someSteps, async (steps) => {
        const world = await open();
        expect(await contradictionsOf(world, steps)).toEqual([]);
        await world.close();
      }),
      { numRuns: runs },
    );
  });
});

/** Queues with one fault each: whoever cannot tell them from a sound one proves nothing above. */
const faults: readonly { readonly name: string; readonly plant: (queue: Queue) => Queue }[] = [
  {
    name: "drops pokes while their key is running",
    plant: (queue) => ({ ...queue, put: async (entry) => queue.put({ ...entry, whileRunning: "skip" }) }),
  },
  {
    name: "lets an old token finish",
    plant: (queue) => withNewestToken(queue, (renew) => ({ finish: async (claimed) => queue.finish(renew(claimed)) })),
  },
  {
    name: "lets an old token put off",
    plant: (queue) =>
      withNewestToken(queue, (renew) => ({ retry: async (claimed, at) => queue.retry(renew(claimed), at) })),
  },
  {
    name: "lets an old token extend",
    plant: (queue) =>
      withNewestToken(queue, (renew) => ({ extend: async (claimed, ms) => queue.extend(renew(claimed), ms) })),
  },
  {
    name: "says that every lease was kept",
    plant: (queue) => ({ ...queue, extend: async () => "kept" }),
  },
  {
    name: "forgets what a dead worker had",
    plant: (queue) => ({ ...queue, claim: async (request) => firstAttemptOf(queue, request) }),
  },
  {
    name: "lets a timer go off at once",
    plant: (queue) => ({ ...queue, put: async (entry) => queue.put({ ...entry, at: null }) }),
  },
  {
    name: "gives leases that end before they were to",
    plant: (queue) => ({ ...queue, claim: async (request) => longerThanTrue(await queue.claim(request)) }),
  },
  { name: "does not cancel", plant: (queue) => ({ ...queue, cancel: async () => undefined }) },
  { name: "finishes nothing", plant: (queue) => ({ ...queue, finish: async () => undefined }) },
];

function withNewestToken(
  queue: Queue,
  broken: (renew: (claimed: ClaimedEntry) => ClaimedEntry) => Partial<Queue>,
): Queue {
  const newest = new Map<string, ClaimedEntry>();
  return {
    ...queue,
    claim: async (request) => {
      const claimed = await queue.claim(request);
      if (claimed !== null) newest.set(claimed.key, claimed);
      return claimed;
    },
    ...broken((claimed) => newest.get(claimed.key) ?? claimed),
  };
}

async function firstAttemptOf(queue: Queue, request: Parameters<Queue["claim"]>[0]): Promise<ClaimedEntry | null> {
  for (let claimed = await queue.claim(request); claimed !== null; claimed = await queue.claim(request)) {
    if (claimed.attempt === 1) return claimed;
    await queue.finish(claimed);
  }
  return null;
}

function longerThanTrue(claimed: ClaimedEntry | null): ClaimedEntry | null {
  return claimed === null ? null : { ...claimed, leaseUntil: instant(claimed.leaseUntil + 400) };
}

describe("the witness of the interleavings", () => {
  it.each(faults)("catches a queue that $name", async ({ plant }) => {
    const details = await fc.check(
      fc.asyncProperty(someSteps, async (steps) => {
        const world = await memoryWorld();
        const faulty = plant(world.queues[0]);
        return (await contradictionsOf({ ...world, queues: [faulty, faulty] }, steps)).length === 0;
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(details.failed).toBe(true);
  });
});
