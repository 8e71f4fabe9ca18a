import { describe, expect, it } from "vitest";
import { Budgets } from "#core/budget/budgets.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Model } from "#ports/model.ts";
import type { Parts } from "#ports/parts.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { busyWhile } from "#town/fate.ts";
import { gateOf } from "#town/sights.ts";
import { buildTown, type Town, type TownOptions } from "#town/town.ts";
import { paidModel, paidParts } from "./paid-model.ts";

const cent = 10_000;
const byModel = {
  approval: { protocols: "reviews" as const },
  reviews: { roles: [{ name: "general", reviewer: "model" as const }] },
};

interface Books {
  readonly options: TownOptions;
  /** The sum of what was written down of a pull, each call once. */
  readonly writtenDown: (pull: PullRef) => number;
}

/** Written from the side of the store: it hears of each call, whoever tells it. */
function withBooks(model: Model, budgets: Partial<Budgets>): Books {
  const { reviewer, talker } = paidParts(model);
  const spends = new Map<string, { readonly pull: number; readonly costMicroUsd: number }>();
  const parts = ({ reviewers, store }: Parts): Partial<Parts> => ({
    reviewers: { ...reviewers, model: reviewer },
    model: talker,
    budgets: () => Budgets.parse(budgets),
    store: {
      ...store,
      saveSpend: async (spend) => {
        await store.saveSpend(spend);
        spends.set(spend.id, spend);
      },
    },
  });
  return {
    options: { rules: byModel, parts },
    writtenDown: ({ number }) =>
      [...spends.values()].filter(({ pull }) => pull === number).reduce((sum, one) => sum + one.costMicroUsd, 0),
  };
}

async function recordedOf({ parts }: Town, pull: PullRef): Promise<number> {
  return (await parts.store.findPull(pullKeyOf(parts.instance, pull)))?.records.spentMicroUsd ?? 0;
}

describe("a cost that no provider can mean", () => {
  it.each([Number.NaN, -20 * cent, Number.POSITIVE_INFINITY, 1e300, 2 ** 60, 0.3])(
    "of %d neither stops the review nor spoils the books",
    async (callMicroUsd) => {
      const model = paidModel({ name: "odd", callMicroUsd, estimateMicroUsd: 5 * cent });
      const { options, writtenDown } = withBooks(model, {});
      const town = await buildTown(options);
      const pull = await town.open();
      await town.pass(10 * minuteMs);
      expect(gateOf(town, pull)).toBe("success");
      expect(model.asked).toHaveLength(2);
      expect(await recordedOf(town, pull)).toBe(writtenDown(pull));
    },
  );
});

describe("a look that is given up in the middle", () => {
  it("has cost what was paid until then, in the records too", async () => {
    let busy = 0;
    const sleep = async (ms: number): Promise<void> => {
      busy++;
      await town.clock.sleep(ms);
      busy--;
    };
    const model = paidModel({
      name: "slow",
      callMicroUsd: 20 * cent,
      estimateMicroUsd: 45 * cent,
      takes: { sleep, ms: 20 * secondMs },
    });
    const { options, writtenDown } = withBooks(model, { pullUsd: 5 });
    const town: Town = await buildTown(options);
    town.dismissAll();
    for (const _ of [1, 2]) town.hire({}, busyWhile(() => busy > 0));
    const pull = await town.open();
    for (let passed = 0; passed < 30 * secondMs; passed += 5 * secondMs) await town.pass(5 * secondMs);
    await town.push(pull, { "src/other.ts": "export {};\n" });
    for (let passed = 0; passed < 5 * minuteMs; passed += 5 * secondMs) await town.pass(5 * secondMs);
    await town.pass(hourMs);
    expect(gateOf(town, pull)).toBe("success");
    expect(model.asked.length).toBeGreaterThan(2);
    expect(writtenDown(pull)).toBe(model.asked.length * 20 * cent);
    expect(await recordedOf(town, pull)).toBe(writtenDown(pull));
  });
});
