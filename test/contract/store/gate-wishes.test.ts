import { describe, expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { type PullKey, pullKeyOf } from "#ports/pull-ref.ts";
import type { DesiredGate, Store } from "#ports/store.ts";
import { sha } from "#testing/makers.ts";
import { useStores, worlds } from "./worlds.ts";

function pullKey(number: number): PullKey {
  const repository = { id: RepositoryId.parse("7"), name: "acme/tools" };
  return pullKeyOf(InstanceId.parse("gates"), { repository, number });
}

const wish: DesiredGate = { repository: "gates/7", head: sha(1), state: "success", words: "Fine" };

describe.each(worlds)("what pulls want of the gate of their head, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  it("is told together for one commit of one repository", async () => {
    await store.saveDesiredGate(pullKey(2), wish);
    await store.saveDesiredGate(pullKey(1), { ...wish, state: "failure", words: "No" });
    await store.saveDesiredGate(pullKey(3), { ...wish, head: sha(2) });
    await store.saveDesiredGate(pullKey(4), { ...wish, repository: "gates/8" });
    expect(await other.findDesiredGates({ repository: "gates/7", head: sha(1) })).toEqual([
      { ...wish, state: "failure", words: "No", pull: pullKey(1) },
      { ...wish, pull: pullKey(2) },
    ]);
  });

  it("is one for each pull, and can be taken back", async () => {
    await store.saveDesiredGate(pullKey(5), { ...wish, head: sha(5) });
    await other.saveDesiredGate(pullKey(5), { ...wish, head: sha(6) });
    expect(await store.findDesiredGates({ repository: "gates/7", head: sha(5) })).toEqual([]);
    expect(await store.findDesiredGates({ repository: "gates/7", head: sha(6) })).toHaveLength(1);
    await store.saveDesiredGate(pullKey(5), null);
    await store.saveDesiredGate(pullKey(5), null);
    expect(await other.findDesiredGates({ repository: "gates/7", head: sha(6) })).toEqual([]);
  });
});
