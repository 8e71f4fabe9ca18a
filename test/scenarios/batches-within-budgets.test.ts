import { describe, expect, it } from "vitest";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { Budgets } from "#core/budget/budgets.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { quiet } from "#town/every-boundary.ts";
import { botReviews, gateOf } from "#town/sights.ts";
import { buildTown } from "#town/town.ts";
import { batchTown, changed, recordedCost, sayNothing } from "./batch-town.ts";

const roles = [{ name: "general", reviewer: "model" as const }];

describe("a budget with room for a batch alone", () => {
  it("has the look done by batch, says so, and keeps its money aside for hours", async () => {
    const { options, provider } = batchTown({
      provider: "openai",
      room: { say: sayNothing },
      parts: () => ({ budgets: () => Budgets.parse({ repositoryDayUsd: 0.1 }) }),
    });
    const town = await buildTown({ ...options, rules: { ...quiet, reviews: { roles } } });
    const first = await town.open({ branch: "one", files: { "src/one.ts": "export const one = 1;\n" } });
    await town.pass(minuteMs);
    const second = await town.open({ branch: "two", files: { "src/two.ts": "export const two = 2;\n" } });
    await town.pass(minuteMs);
    // The other one is under way, and all but a part of the money is promised to it.
    expect(provider().room.batches).toHaveLength(1);
    expect(botReviews(town, second).map(({ body }) => body)).toEqual([
      expect.stringContaining("The budget of this repository for today is $0.10, of which $0.04 is left"),
    ]);
    await town.pass(3 * hourMs);
    expect(gateOf(town, first)).toBe("success");
    expect(botReviews(town, first)[0]?.body).toContain(
      "To stay within the budget this was done in a batch at half the price.",
    );
    // It took far less than was promised, and the rest can be had again.
    expect(await recordedCost(town, first)).toBe(requestMicroUsd);
    await town.as(town.rita).comment(second, "@drover review");
    await town.pass(3 * hourMs);
    expect(gateOf(town, second)).toBe("success");
    expect(await recordedCost(town, second)).toBe(requestMicroUsd);
    expect(provider().liveCalls).toEqual([]);
  });
});

describe("a budget without room for anything", () => {
  it("is all that is said where a role is reviewed by batch", async () => {
    const { options, provider } = batchTown({
      provider: "anthropic",
      parts: () => ({ budgets: () => Budgets.parse({ pullUsd: 0 }) }),
    });
    const town = await buildTown(options);
    const pull = await town.open({ files: changed });
    await town.pass(hourMs);
    const said = botReviews(town, pull).map(({ body }) => body);
    expect(said).toEqual([expect.stringContaining("The budget of this pull is $0.00")]);
    expect(said.join("")).not.toContain("reviewed at once");
    expect([provider().room.batches, provider().liveCalls]).toEqual([[], []]);
  });
});
