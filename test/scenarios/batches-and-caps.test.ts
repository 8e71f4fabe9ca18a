import { describe, expect, it } from "vitest";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { Budgets } from "#core/budget/budgets.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { buildHarness } from "#harness/harness.ts";
import { botReviews } from "#harness/sights.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import { batchHarness, recordedCost, sayNothing } from "./batch-harness.ts";

/** Nobody watches for thumbs, which would be thousands of looks. */
const quiet = { approval: { protocols: "reviews" } } as const;

const one = { branch: "one", files: { "src/one.ts": "export const one = 1;\n" } };
const two = { branch: "two", files: { "src/two.ts": "export const two = 2;\n" } };

describe("money for a batch that is under way", () => {
  it("stays set aside for as long as the batch is followed, however long nobody can be asked about it", async () => {
    const { options, provider } = batchHarness({
      provider: "openai",
      room: { say: sayNothing },
      parts: () => ({ budgets: () => Budgets.parse({ pullUsd: 50, repositoryDayUsd: 0.1 }) }),
    });
    const harness = await buildHarness({ ...options, rules: { ...options.rules, ...quiet } });
    const first = await harness.open(one);
    await harness.pass(minuteMs);
    let isDown = true;
    provider().faults.next(({ method }) => isDown && method === "GET", "refused_503", 100_000);
    await harness.pass(30 * hourMs);
    const second = await harness.open(two);
    await harness.pass(5 * minuteMs);
    expect(provider().room.batches).toHaveLength(1);
    expect(botReviews(harness, second).map(({ body }) => body)).toEqual([
      expect.stringContaining("is $0.10, of which"),
    ]);
    isDown = false;
    await harness.pass(2 * hourMs);
    expect(botReviews(harness, first)).toHaveLength(1);
    expect(await recordedCost(harness, first)).toBe(requestMicroUsd);
  });

  it("counts against a cap that is set while it is under way", async () => {
    let budgets = Budgets.parse({});
    const { options, provider } = batchHarness({
      provider: "openai",
      room: { say: sayNothing, takesMs: 5 * hourMs },
      parts: () => ({ budgets: () => budgets }),
    });
    const harness = await buildHarness({ ...options, rules: { ...options.rules, ...quiet } });
    await harness.open(one);
    await harness.pass(minuteMs);
    budgets = Budgets.parse({ repositoryDayUsd: 0.1 });
    await harness.pass(hourMs);
    const second = await harness.open(two);
    await harness.pass(5 * minuteMs);
    expect(provider().room.batches).toHaveLength(1);
    expect(botReviews(harness, second).map(({ body }) => body)).toEqual([
      expect.stringContaining("is $0.10, of which"),
    ]);
  });
});

describe("a batch whose pull cannot be found when its results come", () => {
  it("is not paid for again because the forge hid the pull for an hour", async () => {
    let isHidden = false;
    const { options, provider, spent } = batchHarness({
      provider: "openai",
      parts: (usual) => hiding(usual, () => isHidden),
    });
    const harness = await buildHarness({ ...options, rules: { ...options.rules, ...quiet }, expectsFailures: true });
    const pull = await harness.open(one);
    await harness.pass(20 * minuteMs);
    isHidden = true;
    await harness.pass(hourMs);
    isHidden = false;
    await harness.pass(4 * hourMs);
    expect(provider().room.batches).toHaveLength(2);
    expect(botReviews(harness, pull)).toHaveLength(1);
    expect([await recordedCost(harness, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
  });

  it("is in the books when it never comes back", async () => {
    let isHidden = false;
    const { options, spent } = batchHarness({ provider: "openai", parts: (usual) => hiding(usual, () => isHidden) });
    const harness = await buildHarness({ ...options, rules: { ...options.rules, ...quiet }, expectsFailures: true });
    const pull = await harness.open(one);
    await harness.pass(20 * minuteMs);
    isHidden = true;
    await harness.pass(24 * hourMs);
    expect([await recordedCost(harness, pull), spent()]).toEqual([requestMicroUsd, requestMicroUsd]);
  });
});

/** As a forge does to whom it has taken the right to see something. */
function hiding({ forge }: Dependencies, isHidden: () => boolean): Partial<Dependencies> {
  const fetchPull: Dependencies["forge"]["fetchPull"] = async (pull) => {
    if (isHidden()) throw new ForgeError("not_found", "there is no such pull", { isApplied: "no" });
    return await forge.fetchPull(pull);
  };
  return { forge: { ...forge, fetchPull } };
}
