// @module-tag crash
// @module-tag concurrency

import * as fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { Budgets } from "#core/budget/budgets.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { busyWhile, diesAt, freezesAt } from "#harness/fate.ts";
import { buildHarness, type Harness, type HarnessOptions } from "#harness/harness.ts";
import { gateOf } from "#harness/sights.ts";
import { openBudgetAccount } from "#jobs/budget-account.ts";
import { createObserver } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Model } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { aModelCall } from "#testing/spend-maker.ts";
import { paidModel, paidParts } from "./paid-model.ts";

const cent = 10_000;
/** On a database each of these lives takes seconds. */
const lives = inject("harnessEngine") === "memory" ? 10 : 1;
const byModel = {
  approval: { protocols: "reviews" as const },
  reviews: { roles: [{ name: "general", reviewer: "model" as const }] },
};

interface Books {
  readonly options: HarnessOptions;
  /** The sum of what was written down of a pull, each call once. */
  readonly writtenDown: (pull: PullRef) => number;
}

/** Written from the side of the store: it hears of each call, whoever tells it. */
function withBooks(model: Model, budgets: Partial<Budgets>): Books {
  const { reviewer, talker } = paidParts(model);
  const spends = new Map<string, { readonly pull: number; readonly costMicroUsd: number }>();
  const parts = ({ reviewers, store }: Dependencies): Partial<Dependencies> => ({
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

async function recordedOf({ dependencies }: Harness, pull: PullRef): Promise<number> {
  return (await dependencies.store.findPull(pullKeyOf(dependencies.instance, pull)))?.records.spentMicroUsd ?? 0;
}

describe("a cost that no provider can mean", () => {
  it.each([Number.NaN, -20 * cent, Number.POSITIVE_INFINITY, 1e300, 2 ** 60, 0.3])(
    "of %d neither stops the review nor spoils the books",
    async (callMicroUsd) => {
      const model = paidModel({ name: "odd", callMicroUsd, estimateMicroUsd: 5 * cent });
      const { options, writtenDown } = withBooks(model, {});
      const harness = await buildHarness(options);
      const pull = await harness.open();
      await harness.pass(10 * minuteMs);
      expect(gateOf(harness, pull)).toBe("success");
      expect(model.asked).toHaveLength(2);
      expect(await recordedOf(harness, pull)).toBe(writtenDown(pull));
    },
  );
});

describe("a look that is given up in the middle", () => {
  it("has cost what was paid until then, in the records too", async () => {
    let busy = 0;
    const sleep = async (ms: number): Promise<void> => {
      busy++;
      await harness.clock.sleep(ms);
      busy--;
    };
    const model = paidModel({
      name: "slow",
      callMicroUsd: 20 * cent,
      estimateMicroUsd: 45 * cent,
      takes: { sleep, ms: 20 * secondMs },
    });
    const { options, writtenDown } = withBooks(model, { pullUsd: 5 });
    const harness: Harness = await buildHarness(options);
    harness.dismissAll();
    for (const _ of [1, 2])
      harness.hire(
        {},
        busyWhile(() => busy > 0),
      );
    const pull = await harness.open();
    for (let passed = 0; passed < 30 * secondMs; passed += 5 * secondMs) await harness.pass(5 * secondMs);
    await harness.push(pull, { "src/other.ts": "export {};\n" });
    for (let passed = 0; passed < 5 * minuteMs; passed += 5 * secondMs) await harness.pass(5 * secondMs);
    await harness.pass(hourMs);
    expect(gateOf(harness, pull)).toBe("success");
    expect(model.asked.length).toBeGreaterThan(2);
    expect(writtenDown(pull)).toBe(model.asked.length * 20 * cent);
    expect(await recordedOf(harness, pull)).toBe(writtenDown(pull));
  });
});

describe("a worker that stands still for longer than its lease", () => {
  it("at whatever boundary, begins and pays for no look that another one has begun", async () => {
    for (let crossing = 0; crossing < 40; crossing += inject("harnessEngine") === "memory" ? 1 : 10) {
      const model = paidModel({ name: "dear", callMicroUsd: 5 * cent, estimateMicroUsd: 12 * cent });
      const { options, writtenDown } = withBooks(model, { pullUsd: 50 });
      const harness = await buildHarness(options);
      const pull = await harness.open();
      await harness.pass(minuteMs);
      harness.dismissAll();
      harness.hire({}, freezesAt(crossing, { clock: harness.clock, ms: 5 * minuteMs }));
      await harness.as(harness.rita).comment(pull, "@drover review");
      await harness.pass(secondMs);
      harness.hire();
      await harness.pass(hourMs);
      expect([crossing, model.asked.length]).toEqual([crossing, 4]);
      expect(await recordedOf(harness, pull)).toBe(writtenDown(pull));
    }
  });
});

describe("calls of two jobs to which two servers gave the same name", () => {
  it("count as two calls", async () => {
    const harness = await buildHarness({});
    const pull = await harness.open();
    const { dependencies } = harness;
    const call = aModelCall({ id: "batch_1/find", delivery: "batch", costMicroUsd: cent });
    const spentBy = async (key: string): Promise<number> => {
      const { signal } = new AbortController();
      const leaseUntil = () => dependencies.clock.now();
      const place = {
        dependencies,
        observer: createObserver(dependencies),
        key,
        attempt: 1,
        leaseUntil,
        signal,
      };
      const account = await openBudgetAccount(place, { pull, head: harness.headOf(pull), role: "general" });
      for (const _ of ["told", "told again"]) account.onCall(call);
      return await account.settle();
    };
    expect([await spentBy("one job"), await spentBy("another job")]).toEqual([cent, cent]);
  });
});

const anyEvent = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("push" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const, "review" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("close" as const, "reopen" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("die" as const), crossing: fc.nat({ max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("freeze" as const), crossing: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const) }) },
);
type Event = typeof anyEvent extends fc.Arbitrary<infer Value> ? Value : never;

/** What happens leaves a moment for the others: a worker that dies may be taken over before or after it. */
async function happen(harness: Harness, pull: PullRef, event: Event, number: number): Promise<void> {
  switch (event.kind) {
    case "push":
      await harness.push(pull, { "src/other.ts": `export const other = ${number};\n` });
      break;
    case "cancel":
    case "review":
      await harness.as(harness.rita).comment(pull, `@drover ${event.kind}`);
      break;
    case "close":
    case "reopen":
      await harness.as(harness.ada).editPull(pull, { state: event.kind === "close" ? "closed" : "open" });
      break;
    case "die":
      harness.dismissAll();
      harness.hire({}, diesAt(event.crossing));
      break;
    case "freeze":
      harness.dismissAll();
      harness.hire({}, freezesAt(event.crossing, { clock: harness.clock, ms: 3 * minuteMs }));
      harness.hire();
      break;
    case "wait":
      harness.hire();
      await harness.pass(5 * minuteMs);
      break;
    default:
      event satisfies never;
  }
  await harness.pass(5 * secondMs);
}

describe("any life of a pull that is reviewed by a model", () => {
  it("costs as much in the records as call by call, whoever dies or sleeps on the way", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 3, maxLength: 12 }), async (events) => {
        const model = paidModel({ name: "dear", callMicroUsd: 5 * cent, estimateMicroUsd: 12 * cent });
        const { options, writtenDown } = withBooks(model, { pullUsd: 50 });
        const harness = await buildHarness(options);
        const pull = await harness.open();
        for (const [number, event] of events.entries()) await happen(harness, pull, event, number);
        harness.hire();
        await harness.pass(2 * hourMs);
        expect(writtenDown(pull)).toBeLessThanOrEqual(model.asked.length * 5 * cent);
        expect(await recordedOf(harness, pull)).toBe(writtenDown(pull));
      }),
      { numRuns: lives },
    );
  });
});
