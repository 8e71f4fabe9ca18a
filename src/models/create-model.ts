import { askChain } from "#models/ask-chain.ts";
import { askQuestion } from "#models/ask-question.ts";
import { cacheTokensMinOf } from "#models/cache-floor.ts";
import { createFences } from "#models/conversation-fence.ts";
import { createBatches } from "#models/create-batches.ts";
import { estimateCost } from "#models/estimate-cost.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import { createModelClient } from "#models/model-client.ts";
import type { ModelSettings } from "#models/model-settings.ts";
import type { Price } from "#models/price.ts";
import { findPrice, pricesAsOf } from "#models/prices.ts";
import type { Model } from "#ports/model.ts";

/** The models of the operator's chain as one. It throws if the chain itself is wrong, and makes no call yet. */
export function createModel(settings: ModelSettings): Model {
  if (settings.chain.length === 0) throw new Error("a model needs at least one entry in its chain");
  const chain = settings.chain.map(createModelClient);
  const prices = new Map(chain.map(({ name, entry }) => [name, findPrice(entry, settings.prices)]));
  for (const { name, reportsCost: saysCost } of chain) {
    if (saysCost || prices.get(name) !== undefined) continue;
    settings.log.warn({ model: name, pricesAsOf }, "price of the model is unknown, its calls are counted without cost");
  }
  const context: ModelCallContext = {
    ...settings,
    chain,
    priceOf: (name) => prices.get(name) ?? formerPrice(name, settings),
    fenceOf: createFences(settings.random),
    outUntil: new Map(),
  };
  const [first] = chain;
  return {
    cacheTokensMin: first === undefined ? undefined : cacheTokensMinOf(first.entry),
    contextTokens: smallest(settings.chain.flatMap(({ contextTokens }) => contextTokens ?? [])),
    isWithoutTools: settings.chain.every(({ tools }) => tools === "none"),
    batches: first === undefined ? undefined : createBatches(context, first),
    ask: async (question) => await askQuestion(context, question),
    converse: async (turn) => await askChain(context, turn),
    estimate: (tokens, delivery) =>
      estimateCost(
        chain.map(({ name }) => prices.get(name)),
        { tokens, delivery, allowsUnpriced: settings.allowsUnpriced === true },
      ),
  };
}

function smallest(windows: readonly number[]): number | undefined {
  return windows.length === 0 ? undefined : Math.min(...windows);
}

function formerPrice(name: string, { chain, prices }: Pick<ModelSettings, "chain" | "prices">): Price | undefined {
  const former = chain.find(({ provider }) => name.startsWith(`${provider}/`));
  if (former === undefined) return undefined;
  const { provider } = former;
  return findPrice({ provider, model: name.slice(provider.length + 1) }, prices);
}
