import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { type PullRef, pullKeyOf, pullKeysStart } from "#ports/pull-ref.ts";
import type { Store } from "#ports/store.ts";
import { aFinding, aRun, at, sha, someRecords } from "#testing/makers.ts";
import { frozen, pullNamed, someContent } from "./world.ts";
import { useStores, worlds } from "./worlds.ts";

describe.each(worlds)("what is known of a pull, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  it("is nothing at first", async () => {
    expect(await store.findPull(pullNamed("unknown"))).toBeUndefined();
  });

  it("is found again by every worker, with a version that counts from 1", async () => {
    const pull = pullNamed("found");
    expect(await store.savePull({ pull, content: someContent(1), expectedVersion: 0 })).toBe("saved");
    expect(await other.findPull(pull)).toEqual({ ...someContent(1), version: 1 });
    expect(await other.savePull({ pull, content: someContent(2), expectedVersion: 1 })).toBe("saved");
    expect(await store.findPull(pull)).toEqual({ ...someContent(2), version: 2 });
  });

  it("may be written back as it was read", async () => {
    const pull = pullNamed("written back");
    await store.savePull({ pull, content: someContent(1), expectedVersion: 0 });
    const read = await store.findPull(pull);
    if (read === undefined) throw new Error("not found");
    expect(await store.savePull({ pull, content: read, expectedVersion: read.version })).toBe("saved");
    expect(await store.findPull(pull)).toEqual({ ...someContent(1), version: 2 });
  });

  it("belongs to one pull alone", async () => {
    await store.savePull({ pull: pullNamed("one"), content: someContent(1), expectedVersion: 0 });
    expect(await store.findPull(pullNamed("another"))).toBeUndefined();
    expect(await store.savePull({ pull: pullNamed("another"), content: someContent(2), expectedVersion: 0 })).toBe(
      "saved",
    );
    expect(await store.findPull(pullNamed("one"))).toEqual({ ...someContent(1), version: 1 });
  });

  it("stays as it was read for whoever read it before the change", async () => {
    const pull = pullNamed("read before");
    await store.savePull({ pull, content: someContent(1), expectedVersion: 0 });
    const before = await store.findPull(pull);
    await store.savePull({ pull, content: someContent(2), expectedVersion: 1 });
    expect(before).toEqual({ ...someContent(1), version: 1 });
  });

  it.each([-1, 0, 2, 3])("does not change when it is at version 1 and %d is expected", async (expectedVersion) => {
    const pull = pullNamed(`stale ${expectedVersion}`);
    await store.savePull({ pull, content: someContent(1), expectedVersion: 0 });
    expect(await other.savePull({ pull, content: someContent(2), expectedVersion })).toBe("stale");
    expect(await store.findPull(pull)).toEqual({ ...someContent(1), version: 1 });
  });

  it("is not made by somebody who believes that it was there", async () => {
    const pull = pullNamed("never there");
    expect(await store.savePull({ pull, content: someContent(1), expectedVersion: 1 })).toBe("stale");
    expect(await store.findPull(pull)).toBeUndefined();
  });

  it("may be much, and keeps its order", async () => {
    const pull = pullNamed("much");
    const numbers = Array.from({ length: 1000 }, (_, index) => (index * 619) % 1000);
    const content = frozen({
      records: someRecords({
        findings: numbers.map((number) => aFinding(`f${number}`, { message: `Finding ${number}. `.repeat(20) })),
        runs: numbers.map((number) => aRun({ head: sha(number), round: number + 1 })),
        spentMicroUsd: Number.MAX_SAFE_INTEGER,
      }),
      blocks: Object.fromEntries(numbers.map((number) => [`review/${number}`, { revision: number, digest: "d" }])),
      sight: { changedAt: at(0), remarks: numbers.map((number) => `c${number}`), missingSince: at(1) },
    });
    await store.savePull({ pull, content, expectedVersion: 0 });
    const found = await other.findPull(pull);
    expect(found).toEqual({ ...content, version: 1 });
    expect(Object.keys(found?.blocks ?? {})).toEqual(Object.keys(content.blocks));
  });

  it("is saved by exactly one of those who read the same version", async () => {
    const pull = pullNamed("race");
    for (const expectedVersion of [0, 1, 2]) {
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map(async (spent) => {
          const content = someContent(10 * expectedVersion + spent);
          const by = spent % 2 === 0 ? store : other;
          return { content, outcome: await by.savePull({ pull, content, expectedVersion }) };
        }),
      );
      const [winner, ...others] = outcomes.filter(({ outcome }) => outcome === "saved");
      expect(others).toEqual([]);
      expect(await store.findPull(pull)).toEqual({ ...winner?.content, version: expectedVersion + 1 });
    }
  });

  it("loses no addition of workers that read again whenever they were stale, however they interleave", async () => {
    let runs = 0;
    const workers = fc.array(fc.array(fc.boolean(), { maxLength: 4 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(workers, async (plans) => {
        const pull = pullNamed(`additions ${runs++}`);
        await Promise.all(
          plans.map(async (plan, index) => {
            for (const isPatient of plan) {
              if (isPatient) await Promise.resolve();
              await addOne(index % 2 === 0 ? store : other, pull);
            }
          }),
        );
        const total = plans.flat().length;
        const found = await store.findPull(pull);
        expect(found?.records.spentMicroUsd ?? 0).toBe(total);
        expect(found?.version ?? 0).toBe(total);
      }),
      { numRuns: world.runs(50) },
    );
  });

  it("has a digest of what the poller saw, the last one", async () => {
    const pull = pullNamed("digest");
    const sibling = pullNamed("other digest");
    const unseen = pullNamed("no digest");
    expect(await store.findDigests([pull, sibling])).toEqual(new Map());
    expect(await store.findDigests([])).toEqual(new Map());
    await store.saveDigests(new Map());
    await store.saveDigests(new Map([[pull, "first"]]));
    await store.saveDigests(
      new Map([
        [sibling, "third"],
        [pull, "second"],
      ]),
    );
    expect(await other.findDigests([unseen, pull, sibling])).toEqual(
      new Map([
        [pull, "second"],
        [sibling, "third"],
      ]),
    );
    expect(await other.findDigests([unseen, sibling])).toEqual(new Map([[sibling, "third"]]));
  });

  it("tells whose digests it has, repository by repository, and forgets them", async () => {
    const instance = InstanceId.parse("digests");
    const refs = [refOf("1", 9), refOf("1", 10), refOf("11", 7), refOf("2", 8)];
    await store.saveDigests(new Map(refs.map((ref) => [pullKeyOf(instance, ref), "seen"])));
    const listed = async (id: string) => {
      const numbers = await other.listDigested(pullKeysStart(instance, refOf(id, 1).repository));
      return numbers.toSorted((left, right) => left - right);
    };
    expect(await listed("1")).toEqual([9, 10]);
    expect(await listed("3")).toEqual([]);
    await store.forgetDigests([]);
    await store.forgetDigests([pullKeyOf(instance, refOf("1", 9)), pullKeyOf(instance, refOf("1", 5))]);
    expect(await listed("1")).toEqual([10]);
    expect(await listed("11")).toEqual([7]);
  });
});

function refOf(id: string, number: number): PullRef {
  return { repository: { id: RepositoryId.parse(id), name: "a/b" }, number };
}

async function addOne(store: Store, pull: ReturnType<typeof pullNamed>): Promise<void> {
  for (;;) {
    const found = await store.findPull(pull);
    const content = someContent((found?.records.spentMicroUsd ?? 0) + 1);
    if ((await store.savePull({ pull, content, expectedVersion: found?.version ?? 0 })) === "saved") return;
  }
}
