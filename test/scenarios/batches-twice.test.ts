// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { wakeBatchWaiter } from "#jobs/batch-waiters.ts";
import type { Clock } from "#ports/clock.ts";
import { someRules } from "#testing/makers.ts";
import type { Border } from "#town/border.ts";
import type { Fate } from "#town/fate.ts";
import { botReviews } from "#town/sights.ts";
import { manners } from "#town/town.ts";
import { buildBatchTown, changed, recordedCost } from "./batch-town.ts";

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
    const { town, provider: at, spent } = await buildBatchTown({ provider });
    town.dismissAll();
    town.hire({}, freezesBefore("batches.submit", { clock: town.clock, ms: 20 * minuteMs }));
    const pull = await town.open({ files: changed });
    await town.pass(minuteMs);
    town.hire();
    await town.pass(4 * hourMs);
    expect(at().room.batches.map(({ cancelledAt }) => cancelledAt)).toEqual([null, null]);
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect([await recordedCost(town, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
  });
});

describe.each(providerManners)("a worker that stands still between two stages from %s", (provider) => {
  it("submits no next stage of a run that was given up and counted meanwhile", async () => {
    const { town, provider: at, spent } = await buildBatchTown({ provider });
    town.dismissAll();
    const fate = freezesBefore("store.saveSpend", { clock: town.clock, ms: 10 * minuteMs });
    town.hire({}, fate);
    const pull = await town.open({ files: changed });
    for (let passed = 0; passed < 60 && !fate.isAway(); passed++) await town.pass(minuteMs);
    town.hire();
    await town.push(pull, { "src/lexer.ts": "export const words = 1;\n" });
    await town.pass(4 * hourMs);
    const stages = at().room.batches.map(({ requests }) => requests.map(({ id }) => id.replace(/^.*-/, "")));
    expect(stages).toEqual([["find"], ["find"], ["check"]]);
    const cost = at().room.billed() * requestMicroUsd;
    expect([await recordedCost(town, pull), spent()]).toEqual([cost, cost]);
  });
});

describe.each(providerManners)("a submission that stands still on the wire to %s", (provider) => {
  it("is one too many once another worker has submitted, and taken back at once", async () => {
    const { town, provider: at, spent } = await buildBatchTown({ provider });
    town.dismissAll();
    let isOnWire = false;
    at().faults.next(isSubmit, async (work) => {
      isOnWire = true;
      await town.clock.sleep(20 * minuteMs);
      isOnWire = false;
      return await work();
    });
    town.hire(
      {},
      freezesWhile(() => isOnWire, town.clock),
    );
    const pull = await town.open({ files: changed });
    await town.pass(minuteMs);
    town.hire();
    await town.pass(4 * hourMs);
    const { batches } = at().room;
    const cancelled = batches.filter(({ cancelledAt }) => cancelledAt !== null);
    expect(batches).toHaveLength(3);
    expect(cancelled.map(({ createdAt, cancelledAt }) => (cancelledAt ?? 0) - createdAt)).toEqual([0]);
    // Nothing of the change stays there, of the one that was too many neither.
    const [surplus] = cancelled;
    expect([...at().room.files.keys()]).toEqual([]);
    expect(at().room.find(surplus?.id ?? "") === undefined).toBe(provider === "anthropic");
    expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
    expect([await recordedCost(town, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
  });
});

describe("the provider's word that a batch has ended", () => {
  it("has its job look at once", async () => {
    const { town, provider: at } = await buildBatchTown({ provider: "openai", room: { takesMs: 3 * hourMs } });
    const pull = await town.open({ files: changed });
    await town.pass(3 * hourMs + minuteMs);
    const [batch] = at().room.batches;
    expect(await wakeBatchWaiter(town.dependencies, batch?.id ?? "")).toBe("brought_forward");
    await town.pass(1_000);
    expect(at().room.batches).toHaveLength(2);
    expect(botReviews(town, pull)).toEqual([]);
  });

  it("means nothing for a batch of which nobody knows, or that is over", async () => {
    const { town, provider: at } = await buildBatchTown({ provider: "openai" });
    const pull = await town.open({ files: changed });
    await town.pass(4 * hourMs);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect(await wakeBatchWaiter(town.dependencies, "batch_of_others")).toBe("unknown");
    expect(await wakeBatchWaiter(town.dependencies, at().room.batches[0]?.id ?? "")).toBe("unknown");
  });

  it("changes nothing when it is a lie", async () => {
    const { town, provider: at } = await buildBatchTown({ provider: "openai" });
    const pull = await town.open({ files: changed });
    await town.pass(minuteMs);
    for (let times = 0; times < 5; times++) {
      await wakeBatchWaiter(town.dependencies, at().room.batches[0]?.id ?? "");
      await town.pass(1_000);
    }
    expect(at().room.batches).toHaveLength(1);
    expect(botReviews(town, pull)).toEqual([]);
    await town.pass(4 * hourMs);
    expect(botReviews(town, pull)).toHaveLength(1);
  });
});

describe.each(manners)("a review by batch on a %s", (manner) => {
  it("is not cancelled because the forge shows the head of before", async () => {
    const { town, provider: at } = await buildBatchTown({ provider: "openai", manner });
    const pull = await town.open({ files: { "src/lexer.ts": "export const words = 1;\n" } });
    await town.pass(2 * minuteMs);
    await town.push(pull, changed);
    await town.pass(10 * 1_000);
    expect(at().room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toContain(false);
    const newest = at().room.batches.at(-1);
    town.faults.always(({ isWrite }) => !isWrite, { kind: "stale", ms: minuteMs });
    await town.pass(40 * 1_000);
    await town.settle();
    town.faults.clear();
    await town.pass(4 * hourMs);
    expect(newest?.cancelledAt).toBeNull();
    expect(at().room.batches.filter(({ cancelledAt }) => cancelledAt !== null)).toHaveLength(1);
    expect(botReviews(town, pull).map(({ commit }) => commit)).toEqual([town.headOf(pull)]);
  });

  it("is cancelled when its role is taken out of the rules", async () => {
    let rules = someRules({ reviews: { roles: [batchRole] } });
    const {
      town,
      provider: at,
      spent,
    } = await buildBatchTown({
      provider: "openai",
      manner,
      parts: () => ({ rulesOf: async () => rules }),
    });
    const pull = await town.open({ files: changed });
    await town.pass(5 * minuteMs);
    rules = someRules({ reviews: { roles: [{ name: "rules", reviewer: "rules" }] } });
    await town.tick(pull);
    await town.pass(2 * hourMs);
    expect(at().room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toEqual([true]);
    expect([await recordedCost(town, pull), spent()]).toEqual([requestMicroUsd, requestMicroUsd]);
  });
});

const batchRole = { name: "general", reviewer: "model", delivery: "batch" } as const;
