import { describe, expect, it } from "vitest";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { Budgets } from "#core/budget/budgets.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import { botReviews } from "#town/sights.ts";
import { buildTown } from "#town/town.ts";
import { batchTown, recordedCost, sayNothing } from "./batch-town.ts";

/** Nobody watches for thumbs, which would be thousands of looks. */
const quiet = { approval: { protocols: "reviews" } } as const;

const one = { branch: "one", files: { "src/one.ts": "export const one = 1;\n" } };
const two = { branch: "two", files: { "src/two.ts": "export const two = 2;\n" } };

describe("money for a batch that is under way", () => {
  it("stays set aside for as long as the batch is followed, however long nobody can be asked about it", async () => {
    const { options, provider } = batchTown({
      provider: "openai",
      room: { say: sayNothing },
      parts: () => ({ budgets: () => Budgets.parse({ pullUsd: 50, repositoryDayUsd: 0.1 }) }),
    });
    const town = await buildTown({ ...options, rules: { ...options.rules, ...quiet } });
    const first = await town.open(one);
    await town.pass(minuteMs);
    let isDown = true;
    provider().faults.next(({ method }) => isDown && method === "GET", "refused_503", 100_000);
    await town.pass(30 * hourMs);
    const second = await town.open(two);
    await town.pass(5 * minuteMs);
    expect(provider().room.batches).toHaveLength(1);
    expect(botReviews(town, second).map(({ body }) => body)).toEqual([expect.stringContaining("is $0.10, of which")]);
    isDown = false;
    await town.pass(2 * hourMs);
    expect(botReviews(town, first)).toHaveLength(1);
    expect(await recordedCost(town, first)).toBe(requestMicroUsd);
  });

  it("counts against a cap that is set while it is under way", async () => {
    let budgets = Budgets.parse({});
    const { options, provider } = batchTown({
      provider: "openai",
      room: { say: sayNothing, takesMs: 5 * hourMs },
      parts: () => ({ budgets: () => budgets }),
    });
    const town = await buildTown({ ...options, rules: { ...options.rules, ...quiet } });
    await town.open(one);
    await town.pass(minuteMs);
    budgets = Budgets.parse({ repositoryDayUsd: 0.1 });
    await town.pass(hourMs);
    const second = await town.open(two);
    await town.pass(5 * minuteMs);
    expect(provider().room.batches).toHaveLength(1);
    expect(botReviews(town, second).map(({ body }) => body)).toEqual([expect.stringContaining("is $0.10, of which")]);
  });
});

describe("a batch whose pull cannot be found when its results come", () => {
  it("is not paid for again because the forge hid the pull for an hour", async () => {
    let isHidden = false;
    const { options, provider, spent } = batchTown({
      provider: "openai",
      parts: (usual) => hiding(usual, () => isHidden),
    });
    const town = await buildTown({ ...options, rules: { ...options.rules, ...quiet }, expectsFailures: true });
    const pull = await town.open(one);
    await town.pass(20 * minuteMs);
    isHidden = true;
    await town.pass(hourMs);
    isHidden = false;
    await town.pass(4 * hourMs);
    expect(provider().room.batches).toHaveLength(2);
    expect(botReviews(town, pull)).toHaveLength(1);
    expect([await recordedCost(town, pull), spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
  });

  it("is in the books when it never comes back", async () => {
    let isHidden = false;
    const { options, spent } = batchTown({ provider: "openai", parts: (usual) => hiding(usual, () => isHidden) });
    const town = await buildTown({ ...options, rules: { ...options.rules, ...quiet }, expectsFailures: true });
    const pull = await town.open(one);
    await town.pass(20 * minuteMs);
    isHidden = true;
    await town.pass(24 * hourMs);
    expect([await recordedCost(town, pull), spent()]).toEqual([requestMicroUsd, requestMicroUsd]);
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
