import { describe, expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { dayMs, type Instant, instant } from "#core/model/instant.ts";
import { type PullKey, pullKeyOf } from "#ports/pull-ref.ts";
import { obligationKeyOf, type Store } from "#ports/store.ts";
import { at, sha } from "#testing/makers.ts";
import { aSpend } from "#testing/spend-maker.ts";

import { someContent, someObligation } from "./world.ts";
import { useStores, worlds } from "./worlds.ts";

const day = (count: number): Instant => instant(at(0) + count * dayMs);

/** Of a repository that no other test knows. */
function pullOf(repository: string, number: number): PullKey {
  return pullKeyOf(InstanceId.parse("test"), {
    repository: { id: RepositoryId.parse(repository), name: "acme/tools" },
    number,
  });
}

describe.each(worlds)("pulls that have ended, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  async function save(pull: PullKey): Promise<void> {
    const version = (await store.findPull(pull))?.version ?? 0;
    expect(await store.savePull({ pull, content: someContent(version), expectedVersion: version })).toBe("saved");
  }

  /** Says so of the pull as it is now. */
  async function end(pull: PullKey, ended: Instant): Promise<void> {
    await store.markEnded({ pull, version: (await store.findPull(pull))?.version ?? 1, at: ended });
  }

  /** Whatever the store can know of a pull. */
  async function fill(pull: PullKey): Promise<void> {
    await save(pull);
    await store.ensureObligation(someObligation(pull));
    await store.saveStep({ job: `${pull}/review/1`, step: "ask" }, "an answer");
    await store.saveDesiredGate(pull, { repository: pull, head: sha(1), state: "success", words: "Fine" });
    await store.saveDigests(new Map([[pull, "digest"]]));
  }

  async function known(pull: PullKey): Promise<readonly unknown[]> {
    const all = [
      await other.findPull(pull),
      ...(await other.listObligations(pull)),
      await other.findObligation(obligationKeyOf(pull, "answer/c1")),
      await other.findStep({ job: `${pull}/review/1`, step: "ask" }),
      ...(await other.findDesiredGates({ repository: pull, head: sha(1) })),
      ...(await other.findDigests([pull])).values(),
    ];
    return all.filter((one) => one !== undefined);
  }

  it("are forgotten with all that belongs to them, and nothing else is", async () => {
    const [old, recent, open] = [pullOf("whole", 1), pullOf("whole", 2), pullOf("whole", 3)];
    // Their keys begin as the old one's does.
    const similar = [pullOf("whole", 10), pullOf("whole", 1000)];
    for (const pull of [old, recent, open, ...similar]) await fill(pull);
    const whole = await known(open);
    await end(old, day(1));
    await end(recent, day(5));
    expect(await store.forgetEnded({ before: day(5), countMax: 100 })).toBe(1);
    expect(await known(old)).toEqual([]);
    for (const pull of [recent, open, ...similar]) expect(await known(pull)).toHaveLength(whole.length);
    expect(await store.forgetEnded({ before: day(5), countMax: 100 })).toBe(0);
    expect(await other.forgetEnded({ before: day(6), countMax: 100 })).toBe(1);
  });

  it("have ended when it was first said, and not at all once they are saved again", async () => {
    const [twice, back, never] = [pullOf("first", 1), pullOf("first", 2), pullOf("first", 3)];
    for (const pull of [twice, back]) await save(pull);
    for (const pull of [twice, back, never]) await end(pull, day(1));
    await other.markEnded({ pull: twice, version: 1, at: day(9) });
    await save(back);
    expect(await other.forgetEnded({ before: day(2), countMax: 100 })).toBe(1);
    expect([await store.findPull(twice), await store.findPull(back)]).toMatchObject([undefined, { version: 2 }]);
    await end(back, day(2));
    expect(await store.forgetEnded({ before: day(3), countMax: 100 })).toBe(1);
  });

  it("have not ended because somebody says so who has not seen what was saved since", async () => {
    const pull = pullOf("late", 1);
    await save(pull);
    await save(pull);
    await store.markEnded({ pull, version: 1, at: day(1) });
    expect(await other.forgetEnded({ before: day(2), countMax: 100 })).toBe(0);
    await other.markEnded({ pull, version: 2, at: day(1) });
    expect(await other.forgetEnded({ before: day(2), countMax: 100 })).toBe(1);
  });

  it("go so many at a time, those that ended first before the others", async () => {
    const pulls = [3, 1, 2].map((ended) => ({ ended, pull: pullOf("many", ended) }));
    for (const { pull, ended } of pulls) {
      await save(pull);
      await end(pull, day(ended));
    }
    expect(await store.forgetEnded({ before: day(9), countMax: 2 })).toBe(2);
    expect(await store.findPull(pullOf("many", 3))).toBeDefined();
    const counts = await Promise.all([store, other].map((each) => each.forgetEnded({ before: day(9), countMax: 2 })));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it("can be known anew, as if they had never been", async () => {
    const pull = pullOf("anew", 1);
    await fill(pull);
    await end(pull, day(1));
    await store.forgetEnded({ before: day(2), countMax: 100 });
    await fill(pull);
    expect(await other.findPull(pull)).toMatchObject({ version: 1 });
    expect(await other.listObligations(pull)).toHaveLength(1);
  });

  it("and what they have cost: calls from before are forgotten, the oldest first", async () => {
    const works = [2, 1, 3].map((made) => ({ made, work: `old work ${made}` }));
    for (const { made, work } of works) await store.saveSpend(aSpend({ id: work, work, at: day(made) }));
    expect(await other.forgetSpends({ before: day(3), countMax: 1 })).toBe(1);
    const left = async (): Promise<readonly number[]> =>
      await Promise.all(works.map(async ({ work }) => Math.sign(await store.findSpent(work))));
    expect(await left()).toEqual([1, 0, 1]);
    expect(await other.forgetSpends({ before: day(3), countMax: 10 })).toBe(1);
    expect(await left()).toEqual([0, 0, 1]);
  });
});
