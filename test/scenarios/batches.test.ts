import { describe, expect, it } from "vitest";
import { type ProviderManner, providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Harness } from "#harness/harness.ts";
import { botReviews, gateOf, managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { type BatchHarnessOptions, buildBatchHarness, changed, recordedCost, sayNothing } from "./batch-harness.ts";

async function opened(options: BatchHarnessOptions) {
  const made = await buildBatchHarness(options);
  const pull = await made.harness.open({ files: changed });
  await made.harness.pass(minuteMs);
  return { ...made, pull };
}

const states = (harness: Harness, pull: PullRef): readonly string[] =>
  botReviews(harness, pull).map(({ state }) => state);

describe.each(providerManners)("a review by batch from %s", (provider: ProviderManner) => {
  it("asks, waits, asks for a second look, waits, and is published, at half the price", async () => {
    const { harness, pull, spent, provider: at } = await opened({ provider });
    expect(at().room.batches).toHaveLength(1);
    expect(states(harness, pull)).toEqual([]);
    expect(managedComments(harness, pull)[0]?.body).toContain("general review (by batch, which takes up to a day)");
    await harness.pass(3 * hourMs);
    expect(at().room.batches.map(({ requests }) => requests.length)).toEqual([1, 1]);
    expect(states(harness, pull)).toEqual(["changes_requested"]);
    expect(gateOf(harness, pull)).toBe("failure");
    expect(botReviews(harness, pull)[0]?.body).toContain("By batch");
    expect(await recordedCost(harness, pull)).toBe(2 * requestMicroUsd);
    expect(spent()).toBe(2 * requestMicroUsd);
    expect(at().liveCalls).toEqual([]);
  });

  it("is asked after ever more seldom, up to every quarter of an hour", async () => {
    const { harness, provider: at } = await opened({ provider, room: { takesMs: 12 * hourMs } });
    const asked: number[] = [];
    const note = ({ method }: { readonly method: string }): boolean => {
      if (method === "GET") asked.push(harness.clock.now());
      return false;
    };
    at().faults.next(note, "lost");
    await harness.pass(6 * hourMs);
    const gaps = asked.slice(1).map((time, index) => Math.round((time - (asked[index] ?? 0)) / minuteMs));
    expect(gaps[0]).toBe(1);
    expect(gaps.toSorted((left, right) => left - right)).toEqual(gaps);
    expect(gaps.at(-1)).toBe(15);
    expect(asked.length).toBeLessThan(40);
  });

  it("needs no second look where nothing was found", async () => {
    const { harness, pull, provider: at } = await opened({ provider, room: { say: sayNothing } });
    await harness.pass(2 * hourMs);
    expect(at().room.batches).toHaveLength(1);
    expect(gateOf(harness, pull)).toBe("success");
    expect(await recordedCost(harness, pull)).toBe(requestMicroUsd);
  });
});
