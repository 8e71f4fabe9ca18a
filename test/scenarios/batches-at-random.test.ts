// @module-tag crash
// @module-tag concurrency

import * as fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { BatchProvider } from "#batch-providers/batch-provider.ts";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { diesAt, freezesAt } from "#harness/fate.ts";
import type { Harness } from "#harness/harness.ts";
import type { Model } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { aModelCall } from "#testing/spend-maker.ts";
import { type BatchHarness, buildBatchHarness, changed, recordedCost, sayNothing } from "./batch-harness.ts";

/** On a database each of these lives takes many seconds. */
const lives = inject("harnessEngine") === "memory" ? 12 : 1;

const faults = ["lost", "applied_503", "refused_503", "rate_limited", "unreachable", "dropped", "malformed"] as const;

const anyEvent = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("push" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const, "review" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("close" as const, "reopen" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("die" as const), crossing: fc.nat({ max: 60 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("freeze" as const),
      crossing: fc.nat({ max: 60 }),
      minutes: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      what: fc.constantFrom("submit" as const, "cancel" as const, "read" as const),
      fault: fc.constantFrom(...faults),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
);
type Event = typeof anyEvent extends fc.Arbitrary<infer Value> ? Value : never;

const fits: Readonly<Record<"submit" | "cancel" | "read", Parameters<BatchProvider["faults"]["next"]>[0]>> = {
  submit: ({ method, path }) => method === "POST" && (path === "/batches" || path === "/messages/batches"),
  cancel: ({ path }) => path.endsWith("/cancel"),
  read: ({ method }) => method === "GET",
};

const liveMicroUsd = 7_000;

/** There when a batch came to nothing; it takes its money, and says so. */
const liveWord: Model["converse"] = async ({ shape, purpose, onCall }) => {
  const call = aModelCall({ model: "live", purpose, costMicroUsd: liveMicroUsd });
  onCall?.(call);
  const usage = { calls: [call], costMicroUsd: liveMicroUsd };
  const read = shape?.safeParse(JSON.parse(sayNothing()));
  if (read?.success !== true) return { kind: "unreadable", why: "no", usage };
  return { kind: "answered", value: read.data, said: [{ from: "model", text: sayNothing() }], usage };
};

async function happen(harness: Harness, at: BatchHarness["provider"], pull: PullRef, event: Event, number: number) {
  switch (event.kind) {
    case "wait":
      return await harness.pass(event.minutes * minuteMs);
    case "push":
      await harness.push(pull, { "src/other.ts": `export const other = ${number};\n` });
      return await harness.pass(minuteMs);
    case "cancel":
    case "review":
      await harness.as(harness.rita).comment(pull, `@drover ${event.kind}`);
      return await harness.pass(minuteMs);
    case "close":
    case "reopen":
      await harness.as(harness.ada).editPull(pull, { state: event.kind === "close" ? "closed" : "open" });
      return await harness.pass(minuteMs);
    case "die":
      harness.dismissAll();
      harness.hire({}, diesAt(event.crossing));
      await harness.pass(20 * minuteMs);
      harness.hire();
      return await harness.pass(minuteMs);
    case "freeze":
      harness.dismissAll();
      harness.hire({}, freezesAt(event.crossing, { clock: harness.clock, ms: event.minutes * minuteMs }));
      harness.hire();
      return;
    case "fault":
      at().faults.next(fits[event.what], event.fault, event.count);
      return;
    default:
      return event satisfies never;
  }
}

describe.each(providerManners)("any life of a pull that is reviewed by batches of %s", (provider) => {
  it("costs what the provider bills, once in the records and once call by call", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 3, maxLength: 10 }), async (events) => {
        let live = 0;
        const {
          harness,
          provider: at,
          spent,
        } = await buildBatchHarness({
          provider,
          room: { takesMs: 40 * minuteMs },
          rules: { approval: { protocols: "reviews" } },
          live: async (turn) => {
            live += 1;
            return await liveWord(turn);
          },
        });
        const pull = await harness.open({ files: changed });
        await harness.pass(minuteMs);
        for (const [number, event] of events.entries()) await happen(harness, at, pull, event, number);
        await harness.pass(60 * hourMs);
        const { room } = at();
        expect(room.batches.filter((batch) => ["begun", "ending"].includes(room.stateOf(batch)))).toEqual([]);
        expect(spent()).toBe(room.billed() * requestMicroUsd + live * liveMicroUsd);
        expect(await recordedCost(harness, pull)).toBe(spent());
        const tokens = room.batches.map(({ token }) => token).filter((token) => token !== null);
        expect(new Set(tokens).size).toBe(tokens.length);
      }),
      { numRuns: lives },
    );
  });
});
