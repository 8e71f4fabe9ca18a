import { expect, it } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { after, hourMs } from "#core/model/instant.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { obligationKeyOf } from "#ports/store.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { at, someRecords } from "#testing/makers.ts";

/** What every store promises is in test/contract/store. */
it("a store in memory that was lost is empty and begins anew", async () => {
  const store = createMemoryStore();
  const repository = { id: RepositoryId.parse("7"), name: "acme/tools" };
  const pull = pullKeyOf(InstanceId.parse("test"), { repository, number: 12 });
  const key = obligationKeyOf(pull, "answer/c1");
  const content = {
    records: someRecords(),
    blocks: {},
    sight: { changedAt: null, remarks: [], missingSince: null },
  };
  const why = { askedBy: "ada", rule: "questions are answered", inputs: [] };
  const named = { key, pull, effect: "answer/c1", kind: "answer", lane: "conversation", head: null, why };
  const turn = { instance: "test", now: at(0), gapMs: 1000, aheadMsMax: hourMs, noLaterThan: after(at(0), 5000) };
  await store.savePull({ pull, content, expectedVersion: 0 });
  await store.ensureObligation({ ...named, note: { kind: "none" }, createdAt: at(0) });
  await store.saveStep({ job: "review", step: "ask" }, "answer");
  await store.extendPause({ instance: "test", until: at(5) });
  await store.reserveWriteSlot(turn);
  await store.saveDigests(new Map([[pull, "digest"]]));

  store.lose();

  expect(await store.findPull(pull)).toBeUndefined();
  expect(await store.findObligation(key)).toBeUndefined();
  expect(await store.listObligations(pull)).toEqual([]);
  expect(await store.findStep({ job: "review", step: "ask" })).toBeUndefined();
  expect(await store.findPause({ instance: "test", now: at(0) })).toBeUndefined();
  expect(await store.reserveWriteSlot(turn)).toBe(at(0));
  expect(await store.findDigests([pull])).toEqual(new Map());
  expect(await store.savePull({ pull, content, expectedVersion: 0 })).toBe("saved");
});
