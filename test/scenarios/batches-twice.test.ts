// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Border } from "#harness/border.ts";
import type { Fate } from "#harness/fate.ts";
import { manners } from "#harness/harness.ts";
import { botReviews } from "#harness/sights.ts";
import { wakeBatchWaiter } from "#jobs/batch-waiters.ts";
import type { Clock } from "#ports/clock.ts";
import { someRules } from "#testing/makers.ts";
import { buildBatchHarness, changed, recordedCost } from "./batch-harness.ts";

/** From that moment on it stands still as a whole, heart and all, and then goes on as if nothing had been. */
function freezesBefore(call: string, { clock, ms }: { readonly clock: Clock; readonly ms: number }): Fate {
  let until: number | null = null;
  const isFrozen = (): boolean => until !== null && clock.now() < until;
  const border: Border = async (crossing) => {
    if (until === null && crossing.call === call && crossing.side === "before") until = clock.now() + ms;
    if (until !== null && isFrozen()) await clock.sleep(until - clock.now());
  };
  return { border, crossings: [], isAway: isFrozen, isDead: () => false };
}

/** While this is so it stands still as a whole, but for what is on its way. */
function freezesWhile(isFrozen: () => boolean, clock: Clock): Fate {
  const border: Border = async () => {
    while (isFrozen()) await clock.sleep(minuteMs);
  };
  return { border, crossings: [], isAway: isFrozen, isDead: () => false };
}

const isSubmit = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && (path === "/batches" || path === "/messages/batches");

describe.each(providerManners)("a worker that stands still before it submits to %s", (provider) => {
  it("submits nothing any more, since another one has done so meanwhile", async () => {
    const { harness, provider: at, spent } = await buildBatchHarness({ provider });
    harness.dismissAll();
    harness.hire({}, freezesBefore("batches.submit", { clock: harness.clock, ms: 20 * minuteMs }));
    const pull = await harness.open({ files: changed });
    await harness.pass(minuteMs);
    harness.hire();
    await harness.pass(4 * hourMs);
    expect(at().room.batches.map(({ cancelledAt }) => cancelledAt)).toEqual([null, null]);
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect([await recordedCost(harness, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
  });
});

describe.each(providerManners)("a worker that stands still between two stages from %s", (provider) => {
  it("submits no next stage of a run that was given up and counted meanwhile", async () => {
    const { harness, provider: at, spent } = await buildBatchHarness({ provider });
    harness.dismissAll();
    const fate = freezesBefore("store.saveSpend", { clock: harness.clock, ms: 10 * minuteMs });
    harness.hire({}, fate);
    const pull = await harness.open({ files: changed });
    for (let passed = 0; passed < 60 && !fate.isAway(); passed++) await harness.pass(minuteMs);
    harness.hire();
    await harness.push(pull, { "src/lexer.ts": "export const words = 1;\n" });
    await harness.pass(4 * hourMs);
    const stages = at().room.batches.map(({ requests }) => requests.map(({ id }) => id.replace(/^.*-/, "")));
    expect(stages).toEqual([["find"], ["find"], ["check"]]);
    const cost = at().room.billed() * requestMicroUsd;
    expect([await recordedCost(harness, pull), spent()]).toEqual([cost, cost]);
  });
});

describe.each(providerManners)("a submission that stands still on the wire to %s", (provider) => {
  it("is taken back at once if another worker has submitted meanwhile", async () => {
    const { harness, provider: at, spent } = await buildBatchHarness({ provider });
    harness.dismissAll();
    let isOnWire = false;
    at().faults.next(isSubmit, async (work) => {
      isOnWire = true;
      await harness.clock.sleep(20 * minuteMs);
      isOnWire = false;
      return await work();
    });
    harness.hire(
      {},
      freezesWhile(() => isOnWire, harness.clock),
    );
    const pull = await harness.open({ files: changed });
    await harness.pass(minuteMs);
    harness.hire();
    await harness.pass(4 * hourMs);
    const { batches } = at().room;
    const cancelled = batches.filter(({ cancelledAt }) => cancelledAt !== null);
    expect(batches).toHaveLength(3);
    expect(cancelled.map(({ createdAt, cancelledAt }) => (cancelledAt ?? 0) - createdAt)).toEqual([0]);
    // Nothing of the change stays there, of the one that was too many neither.
    const [surplus] = cancelled;
    expect([...at().room.files.keys()]).toEqual([]);
    expect(at().room.find(surplus?.id ?? "") === undefined).toBe(provider === "anthropic");
    expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect([await recordedCost(harness, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
  });
});

describe("the provider's word that a batch has ended", () => {
  it("has its job look at once", async () => {
    const { harness, provider: at } = await buildBatchHarness({ provider: "openai", room: { takesMs: 3 * hourMs } });
    const pull = await harness.open({ files: changed });
    await harness.pass(3 * hourMs + minuteMs);
    const [batch] = at().room.batches;
    expect(await wakeBatchWaiter(harness.dependencies, batch?.id ?? "")).toBe("brought_forward");
    await harness.pass(1_000);
    expect(at().room.batches).toHaveLength(2);
    expect(botReviews(harness, pull)).toEqual([]);
  });

  it("means nothing for a batch of which nobody knows, or that is over", async () => {
    const { harness, provider: at } = await buildBatchHarness({ provider: "openai" });
    const pull = await harness.open({ files: changed });
    await harness.pass(4 * hourMs);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect(await wakeBatchWaiter(harness.dependencies, "batch_of_others")).toBe("unknown");
    expect(await wakeBatchWaiter(harness.dependencies, at().room.batches[0]?.id ?? "")).toBe("unknown");
  });

  it("changes nothing when it is a lie", async () => {
    const { harness, provider: at } = await buildBatchHarness({ provider: "openai" });
    const pull = await harness.open({ files: changed });
    await harness.pass(minuteMs);
    for (let times = 0; times < 5; times++) {
      await wakeBatchWaiter(harness.dependencies, at().room.batches[0]?.id ?? "");
      await harness.pass(1_000);
    }
    expect(at().room.batches).toHaveLength(1);
    expect(botReviews(harness, pull)).toEqual([]);
    await harness.pass(4 * hourMs);
    expect(botReviews(harness, pull)).toHaveLength(1);
  });
});

describe.each(manners)("a review by batch on a %s", (manner) => {
  it("is not cancelled because the forge shows the head of before", async () => {
    const { harness, provider: at } = await buildBatchHarness({ provider: "openai", manner });
    const pull = await harness.open({ files: { "src/lexer.ts": "export const words = 1;\n" } });
    await harness.pass(2 * minuteMs);
    await harness.push(pull, changed);
    await harness.pass(10 * 1_000);
    expect(at().room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toContain(false);
    const newest = at().room.batches.at(-1);
    harness.faults.always(({ isWrite }) => !isWrite, { kind: "stale", ms: minuteMs });
    await harness.pass(40 * 1_000);
    await harness.settle();
    harness.faults.clear();
    await harness.pass(4 * hourMs);
    expect(newest?.cancelledAt).toBeNull();
    expect(at().room.batches.filter(({ cancelledAt }) => cancelledAt !== null)).toHaveLength(1);
    expect(botReviews(harness, pull).map(({ commit }) => commit)).toEqual([harness.headOf(pull)]);
  });

  it("is cancelled when its role is taken out of the rules", async () => {
    let rules = someRules({ reviews: { roles: [batchRole] } });
    const {
      harness,
      provider: at,
      spent,
    } = await buildBatchHarness({
      provider: "openai",
      manner,
      parts: () => ({ rulesOf: async () => rules }),
    });
    const pull = await harness.open({ files: changed });
    await harness.pass(5 * minuteMs);
    rules = someRules({ reviews: { roles: [{ name: "rules", reviewer: "rules" }] } });
    await harness.tick(pull);
    await harness.pass(2 * hourMs);
    expect(at().room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toEqual([true]);
    expect([await recordedCost(harness, pull), spent()]).toEqual([requestMicroUsd, requestMicroUsd]);
  });
});

const batchRole = { name: "general", reviewer: "model", delivery: "batch" } as const;
