// @module-tag crash
// @module-tag concurrency

import * as fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { BatchProvider } from "#batch-providers/batch-provider.ts";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Model, ModelCall } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { diesAt, freezesAt } from "#town/fate.ts";
import type { Town } from "#town/town.ts";
import { type BatchTown, buildBatchTown, changed, recordedCost, sayNothing } from "./batch-town.ts";

/** On a database each of these lives takes many seconds. */
const lives = inject("townEngine") === "memory" ? 12 : 1;

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
  const tokens = { tokensIn: 1_000, tokensCached: 0, tokensOut: 10 };
  const priced = { costMicroUsd: liveMicroUsd, isPriced: true, ms: 1, outcome: "answered" as const };
  const call: ModelCall = { model: "live", purpose, ...tokens, ...priced };
  onCall?.(call);
  const usage = { calls: [call], costMicroUsd: liveMicroUsd };
  const read = shape?.safeParse(JSON.parse(sayNothing()));
  if (read?.success !== true) return { kind: "unreadable", why: "no", usage };
  return { kind: "answered", value: read.data, said: [{ from: "model", text: sayNothing() }], usage };
};

async function happen(town: Town, at: BatchTown["provider"], pull: PullRef, event: Event, number: number) {
  switch (event.kind) {
    case "wait":
      return await town.pass(event.minutes * minuteMs);
    case "push":
      await town.push(pull, { "src/other.ts": `export const other = ${number};\n` });
      return await town.pass(minuteMs);
    case "cancel":
    case "review":
      await town.as(town.rita).comment(pull, `@drover ${event.kind}`);
      return await town.pass(minuteMs);
    case "close":
    case "reopen":
      await town.as(town.ada).editPull(pull, { state: event.kind === "close" ? "closed" : "open" });
      return await town.pass(minuteMs);
    case "die":
      town.dismissAll();
      town.hire({}, diesAt(event.crossing));
      await town.pass(20 * minuteMs);
      town.hire();
      return await town.pass(minuteMs);
    case "freeze":
      town.dismissAll();
      town.hire({}, freezesAt(event.crossing, { clock: town.clock, ms: event.minutes * minuteMs }));
      town.hire();
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
          town,
          provider: at,
          spent,
        } = await buildBatchTown({
          provider,
          room: { takesMs: 40 * minuteMs },
          rules: { approval: { protocols: "reviews" } },
          live: async (turn) => {
            live += 1;
            return await liveWord(turn);
          },
        });
        const pull = await town.open({ files: changed });
        await town.pass(minuteMs);
        for (const [number, event] of events.entries()) await happen(town, at, pull, event, number);
        await town.pass(60 * hourMs);
        const { room } = at();
        expect(room.batches.filter((batch) => ["begun", "ending"].includes(room.stateOf(batch)))).toEqual([]);
        expect(spent()).toBe(room.billed() * requestMicroUsd + live * liveMicroUsd);
        expect(await recordedCost(town, pull)).toBe(spent());
        const tokens = room.batches.map(({ token }) => token).filter((token) => token !== null);
        expect(new Set(tokens).size).toBe(tokens.length);
      }),
      { numRuns: lives },
    );
  });
});
