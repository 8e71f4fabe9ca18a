import type { Spend } from "#core/budget/spend.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import type { ModelCall } from "#ports/model.ts";
import { at, sha } from "#testing/makers.ts";

/** A call that a model answered, as a model tells of it. */
export function aModelCall(over: Partial<ModelCall> = {}): ModelCall {
  return {
    model: "anthropic/claude-sonnet-5",
    purpose: "review_find",
    tokensIn: 1_000,
    tokensCached: 400,
    tokensOut: 50,
    costMicroUsd: 100,
    isPriced: true,
    ms: 1_200,
    outcome: "answered",
    ...over,
  };
}

/** The same call as it is written down. */
export function aSpend(over: Partial<Spend> = {}): Spend {
  return {
    work: "review",
    instance: InstanceId.parse("test"),
    repository: { id: RepositoryId.parse("r1"), name: "acme/tools" },
    pull: 1,
    head: sha(1),
    role: "general",
    ...aModelCall(),
    id: "call",
    delivery: "now",
    at: at(0),
    ...over,
  };
}
