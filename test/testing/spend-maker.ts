import type { Spend } from "#core/budget/spend.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { at, sha } from "#testing/makers.ts";

/** A call that a model answered. */
export function aSpend(over: Partial<Spend> = {}): Spend {
  return {
    id: "call",
    work: "review",
    instance: InstanceId.parse("test"),
    repository: { id: RepositoryId.parse("r1"), name: "acme/tools" },
    pull: 1,
    head: sha(1),
    role: "general",
    purpose: "review_find",
    model: "anthropic/claude-sonnet-5",
    tokensIn: 1_000,
    tokensCached: 400,
    tokensOut: 50,
    costMicroUsd: 100,
    isPriced: true,
    ms: 1_200,
    outcome: "answered",
    delivery: "now",
    at: at(0),
    ...over,
  };
}
