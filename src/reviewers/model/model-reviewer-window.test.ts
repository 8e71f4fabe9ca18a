import { describe, expect, it } from "vitest";
import { isComplete } from "#core/review/coverage.ts";
import type { Model } from "#ports/model.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { aModelJob, reviewerOf, says, scriptedModel } from "#testing/model-makers.ts";
import { aModelCall } from "#testing/spend-maker.ts";

const lines = Array.from({ length: 400 }, (_, index) => `+await store.put(order.id, { ...order, line: ${index} });`);
const job = aModelJob({ files: [{ path: "src/a.ts", hunks: [lines] }] });

/** Finds nothing, and says that it was given so many tokens; null where it does not count. */
function countingModel(counted: { readonly tokensIn: number; readonly tokensCached: number } | null): Model {
  const model = scriptedModel(() => says());
  const call = aModelCall({ tokensIn: 0, tokensCached: 0, costMicroUsd: 0, ...counted });
  return {
    ...model,
    converse: async (turn) => ({ ...(await model.converse(turn)), usage: { calls: [call], costMicroUsd: 0 } }),
  };
}

async function reviewBy(model: Model): Promise<Extract<ReviewOutcome, { readonly kind: "completed" }>> {
  const outcome = await reviewerOf(model).review(job);
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return outcome;
}

describe("a model whose window is too small for what it was sent", () => {
  it("has not read the files, whatever it says about them", async () => {
    const { coverage, summary } = await reviewBy(countingModel({ tokensIn: 4_096, tokensCached: 0 }));
    expect(coverage).toEqual({ filesRead: 0, unread: [{ path: "src/a.ts", why: "size" }] });
    expect(isComplete(coverage)).toBe(false);
    expect(summary).toContain("The model's window seems to be smaller than what it was sent: 1 file counts as unread.");
  });

  it.each([
    ["counts all of it", { tokensIn: 7_500, tokensCached: 0 }],
    ["has most of it from a cache", { tokensIn: 900, tokensCached: 6_600 }],
    ["does not count", null],
  ])("is not taken for one that %s", async (_, counted) => {
    expect((await reviewBy(countingModel(counted))).coverage).toEqual({ filesRead: 1, unread: [] });
  });

  it("is sent a change in parts that fit, where the operator says how small it is", async () => {
    const model = scriptedModel(() => says());
    const { coverage } = await reviewBy({ ...model, contextTokens: 16_000 });
    expect(coverage).toEqual({ filesRead: 1, unread: [] });
    expect(model.turns.length).toBeGreaterThan(2);
    for (const { messages, limits } of model.turns) {
      expect(JSON.stringify(messages).length / 4 + limits.answerTokensMax).toBeLessThan(16_000);
    }
  });
});
