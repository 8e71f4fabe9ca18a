import { expect, it } from "vitest";
import { createModelCallCounter, modelMetrics } from "#app/models/model-call-counter.ts";
import { aModelCall } from "#testing/spend-maker.ts";

const call = aModelCall({ model: "anthropic/claude-sonnet-4-5", costMicroUsd: 2_500, ms: 900 });

const nothing = { tokensIn: 0, tokensCached: 0, tokensOut: 0, costMicroUsd: 0 };

it("the counter of model calls adds up by model, purpose and outcome, and names models without a price", () => {
  const bill = createModelCallCounter();
  bill.note(call);
  bill.note(call);
  bill.note({ ...call, model: "compatible/qwen", costMicroUsd: 0, isPriced: false });
  // It was not even accepted, so it is known to have cost nothing.
  bill.note({ ...call, ...nothing, outcome: "rate_limited" });
  // It broke off: nobody counted.
  bill.note({ ...call, ...nothing, outcome: "timed_out", isPriced: false });
  const sums = modelMetrics(bill).map(({ name, samples }) => [name, samples.map(({ value }) => value)]);
  expect(Object.fromEntries(sums)).toEqual({
    drover_model_calls_total: [2, 1, 1, 1],
    drover_model_tokens_in_total: [2_000, 1_000, 0, 0],
    drover_model_tokens_cached_total: [800, 400, 0, 0],
    drover_model_tokens_out_total: [100, 50, 0, 0],
    drover_model_cost_dollars_total: [0.005, 0, 0, 0],
    drover_model_unpriced_calls_total: [0, 1, 0, 1],
  });
  expect(modelMetrics(bill)[0]?.samples[0]?.labels).toEqual({
    model: "anthropic/claude-sonnet-4-5",
    purpose: "review_find",
    outcome: "answered",
  });
});
