import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after } from "#core/model/instant.ts";
import { keyCharsMax, priorityMax, type Queue, type QueueEntry } from "#ports/queue.ts";
import { anEntry, drain, mustTake, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

/** Few keys, so that most lists name one twice. */
const someEntries = fc.array(
  fc.record({
    key: fc.constantFrom("one", "two", "three"),
    inMs: fc.constantFrom(null, -100, 100, 200),
    whileRunning: fc.constantFrom("keep", "skip"),
    priority: fc.constantFrom(2, 3),
    payload: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe.each(worlds)("many entries at once, in $name", ({ open, runs, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  beforeEach(async () => {
    world = await open();
    [queue] = world.queues;
  });
  afterEach(async () => world.close());

  it("are nothing where there are none", async () => {
    await queue.putAll([]);
    expect(await queue.nextDue(["tick"])).toBeUndefined();
  });

  it("come in the order in which they were put, one for each key", async () => {
    const keys = ["d", "a", "c", "b", "a", "d"];
    await queue.putAll(keys.map((key) => anEntry({ key })));
    expect(await drain(queue)).toEqual(["d", "a", "c", "b"]);
  });

  it("are put in together or not at all, as far as they can be told to be wrong", async () => {
    await expect(queue.putAll([anEntry(), anEntry({ payload: undefined })])).rejects.toThrow("plain JSON");
    expect(await queue.find(anEntry())).toBeUndefined();
  });

  it("end as if each had been put in by itself, whatever was there before", async () => {
    await fc.assert(
      fc.asyncProperty(someEntries, async (wanted) => {
        const ends = [];
        for (const way of ["together", "alone"] as const) {
          const fresh = await open();
          await setTheStage(fresh);
          const entries = wanted.map(({ inMs, ...rest }) =>
            anEntry({ ...rest, at: inMs === null ? null : after(fresh.now(), inMs) }),
          );
          await (way === "together" ? fresh.queues[0].putAll(entries) : putEach(fresh.queues[0], entries));
          ends.push(await historyOf(fresh));
          await fresh.close();
        }
        expect(ends[0]).toEqual(ends[1]);
      }),
      { numRuns: Math.min(runs, 100) },
    );
  });

  it.each([0, priorityMax + 1, 1.5])("refuse a priority of %d", async (priority) => {
    await expect(queue.put(anEntry({ priority }))).rejects.toThrow("priority");
  });

  it("may have any key that is not too long, and say any text", async () => {
    const odd = ["\u0000", "\ud800", 'a "quoted" \\ name', "ä/ö#1 😀", "x".repeat(keyCharsMax), "1\n2"];
    await queue.putAll(odd.map((key) => anEntry({ key, payload: { [key]: key } })));
    for (const key of odd) {
      const claimed = await mustTake(queue);
      expect(claimed).toMatchObject({ key, payload: { [key]: key } });
      expect(await queue.find({ queue: "tick", key })).toBe("running");
      await queue.quarantine(claimed, key);
    }
    const buried = await queue.listQuarantined();
    expect(buried.map(({ why }) => why).toSorted()).toEqual(odd.toSorted());
    await expect(queue.put(anEntry({ key: "x".repeat(keyCharsMax + 1) }))).rejects.toThrow("too long");
  });
});

/** One runs, one runs with another behind it, and a third waits for later. */
async function setTheStage(world: World): Promise<void> {
  const [queue] = world.queues;
  for (const key of ["one", "two"]) {
    await queue.put(anEntry({ key, payload: "stage" }));
    await mustTake(queue);
  }
  await queue.put(anEntry({ key: "two", payload: "behind", at: after(world.now(), 150) }));
  await queue.put(anEntry({ key: "three", payload: "later", at: after(world.now(), 150) }));
}

async function putEach(queue: Queue, entries: readonly QueueEntry[]): Promise<void> {
  for (const entry of entries) await queue.put(entry);
}

/** What is given out from now on, and when. */
async function historyOf(world: World): Promise<unknown> {
  const [queue] = world.queues;
  const history: unknown[] = [];
  // Long enough for the leases of the stage to run out.
  for (let round = 0; round < 12; round++) {
    const claimed = await queue.claim({ queues: ["tick"], leaseMs: 100 });
    if (claimed === null) await world.pass(200);
    else {
      history.push([round, claimed.key, claimed.payload, claimed.priority, claimed.attempt]);
      await queue.finish(claimed);
    }
  }
  return history;
}
