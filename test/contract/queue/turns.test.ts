import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { originText } from "#core/fairness/work-origin.ts";
import { after } from "#core/model/instant.ts";
import type { Queue, QueueEntry, QueueName } from "#ports/queue.ts";
import { anEntry, drain, leaseMs, mustTake, takeTick, type World } from "./world.ts";
import { worlds } from "./worlds.ts";

/** More than a queue looks at for one turn. */
const floodCount = 40;

describe.each(worlds)("turns, in $name", ({ open, need }) => {
  beforeEach(need);
  let world: World;
  let queue: Queue;
  let other: Queue;
  beforeEach(async () => {
    world = await open({ limits: { review: 2 } });
    [queue, other] = world.queues;
  });
  afterEach(async () => world.close());

  async function takeNames(count: number, queues: readonly QueueName[] = ["tick"]): Promise<readonly string[]> {
    const names: string[] = [];
    for (let turn = 0; turn < count; turn++) {
      const by = turn % 2 === 0 ? queue : other;
      const claimed = await by.claim({ queues, leaseMs: 1000 * leaseMs });
      if (claimed === null) break;
      names.push(claimed.key.split("/")[0] ?? "");
    }
    return names;
  }

  it("go around among repositories, however much of one was put in first", async () => {
    await queue.putAll(entriesOf("big ada", floodCount));
    await queue.putAll(entriesOf("small rita", 2));
    expect(await takeNames(6)).toEqual(["big ada", "small rita", "big ada", "small rita", "big ada", "big ada"]);
  });

  it("go around among the authors of a repository", async () => {
    await queue.putAll(entriesOf("big ada", floodCount));
    await queue.putAll([...entriesOf("big otto", 1), ...entriesOf("big rita", 1)]);
    expect(await takeNames(5)).toEqual(["big ada", "big otto", "big rita", "big ada", "big ada"]);
  });

  it("give a repository with many authors no more than one with few", async () => {
    for (let index = 0; index < floodCount; index++) await queue.putAll(entriesOf(`big author${index}`, 1));
    await queue.putAll(entriesOf("small rita", 3));
    const names = await takeNames(6);
    expect(names.filter((name) => name === "small rita")).toHaveLength(3);
  });

  it("do not put what is urgent behind what is not", async () => {
    await queue.putAll(entriesOf("big ada", floodCount, { priority: 1 }));
    await queue.putAll(entriesOf("small rita", 1, { priority: 2 }));
    expect(new Set(await takeNames(5))).toEqual(new Set(["big ada"]));
  });

  it("are given over all queues together, and within the limit of one", async () => {
    await queue.putAll(entriesOf("big ada", floodCount, { queue: "review" }));
    await queue.putAll(entriesOf("small rita", 1, { queue: "review" }));
    expect(await takeNames(3, ["review", "tick"])).toEqual(["big ada", "small rita"]);
    await queue.putAll(entriesOf("third mia", 1));
    expect(await takeNames(1, ["review", "tick"])).toEqual(["third mia"]);
  });

  it("pass over those of whom nothing is due yet", async () => {
    await queue.putAll(entriesOf("big ada", floodCount));
    await queue.putAll(entriesOf("later otto", 3, { at: after(world.now(), leaseMs) }));
    await queue.putAll(entriesOf("small rita", 1));
    expect(await takeNames(4)).toEqual(["big ada", "small rita", "big ada", "big ada"]);
    await world.pass(leaseMs);
    expect(await takeNames(1)).toEqual(["later otto"]);
  });

  it("come to everybody, also where more wait than can be gone through at once", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `repository${String(index).padStart(3, "0")} ada`);
    await queue.putAll(entriesOf("big ada", 300));
    await queue.putAll(names.flatMap((name) => entriesOf(name, 1)));
    const given = new Set(await takeNames(320));
    expect(names.filter((name) => !given.has(name))).toEqual([]);
  });

  it("are those of the repository and the author that were told last, and of nobody who was told less", async () => {
    const unknown = originText({ repository: "big", author: null });
    const known = originText({ repository: "big", author: "ada" });
    await queue.put(anEntry({ origin: unknown, at: after(world.now(), 10) }));
    await other.put(anEntry({ origin: known }));
    const claimed = await mustTake(queue);
    expect(claimed.origin).toBe(known);
    await queue.put(anEntry({ origin: unknown }));
    await queue.finish(claimed);
    expect((await takeTick(other))?.origin).toBe(known);
  });

  it("leave what has no origin in the order in which it was due", async () => {
    for (const key of ["a", "b", "c"]) await queue.put(anEntry({ key }));
    expect(await drain(queue)).toEqual(["a", "b", "c"]);
  });
});

function entriesOf(name: string, count: number, over: Partial<QueueEntry> = {}): readonly QueueEntry[] {
  const [repository = "", author = null] = name.split(" ");
  return Array.from({ length: count }, (_, index) => {
    const key = `${name}/${String(index).padStart(3, "0")}`;
    return anEntry({ key, origin: originText({ repository, author }), ...over });
  });
}
