import { describe, expect, it } from "vitest";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { Budgets } from "#core/budget/budgets.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { quiet } from "#harness/every-boundary.ts";
import { buildHarness } from "#harness/harness.ts";
import { botReviews, gateOf } from "#harness/sights.ts";
import { batchHarness, changed, recordedCost, sayNothing } from "./batch-harness.ts";

const roles = [{ name: "general", reviewer: "model" as const }];

describe("a budget with room for a batch alone", () => {
  it("has the look done by batch, says so, and keeps its money aside for hours", async () => {
    const { options, provider } = batchHarness({
      provider: "openai",
      room: { say: sayNothing },
      parts: () => ({ budgets: () => Budgets.parse({ repositoryDayUsd: 0.1 }) }),
    });
    const harness = await buildHarness({ ...options, rules: { ...quiet, reviews: { roles } } });
    const first = await harness.open({ branch: "one", files: { "src/one.ts": "export const one = 1;\n" } });
    await harness.pass(minuteMs);
    const second = await harness.open({ branch: "two", files: { "src/two.ts": "export const two = 2;\n" } });
    await harness.pass(minuteMs);
    // The other one is under way, and all but a part of the money is promised to it.
    expect(provider().room.batches).toHaveLength(1);
    expect(botReviews(harness, second).map(({ body }) => body)).toEqual([
      expect.stringContaining("The budget of this repository for today is $0.10, of which $0.04 is left"),
    ]);
    await harness.pass(3 * hourMs);
    expect(gateOf(harness, first)).toBe("success");
    expect(botReviews(harness, first)[0]?.body).toContain(
      "To stay within the budget this was done in a batch at half the price.",
    );
    // It took far less than was promised, and the rest can be had again.
    expect(await recordedCost(harness, first)).toBe(requestMicroUsd);
    await harness.as(harness.rita).comment(second, "@drover review");
    await harness.pass(3 * hourMs);
    expect(gateOf(harness, second)).toBe("success");
    expect(await recordedCost(harness, second)).toBe(requestMicroUsd);
    expect(provider().liveCalls).toEqual([]);
  });
});

describe("a budget without room for anything", () => {
  it("is all that is said where a role is reviewed by batch", async () => {
    const { options, provider } = batchHarness({
      provider: "anthropic",
      parts: () => ({ budgets: () => Budgets.parse({ pullUsd: 0 }) }),
    });
    const harness = await buildHarness(options);
    const pull = await harness.open({ files: changed });
    await harness.pass(hourMs);
    const said = botReviews(harness, pull).map(({ body }) => body);
    expect(said).toEqual([expect.stringContaining("The budget of this pull is $0.00")]);
    expect(said.join("")).not.toContain("reviewed at once");
    expect([provider().room.batches, provider().liveCalls]).toEqual([[], []]);
  });
});
