import { ask } from "#models/ask.ts";
import { createFences } from "#models/conversation-fence.ts";
import { converse } from "#models/converse.ts";
import type { Desk } from "#models/desk.ts";
import type { ModelSettings } from "#models/model-settings.ts";
import { openModel } from "#models/open-model.ts";
import { findPrice, pricesAsOf } from "#models/prices.ts";
import type { Model } from "#ports/model.ts";

/** The models of the operator's chain as one. It throws where the chain itself is wrong, and asks nobody yet. */
export function createModel(settings: ModelSettings): Model {
  if (settings.chain.length === 0) throw new Error("a model needs at least one entry in its chain");
  const chain = settings.chain.map(openModel);
  const prices = new Map(chain.map(({ name, entry }) => [name, findPrice(entry, settings.prices)]));
  for (const { name, saysCost } of chain) {
    if (saysCost || prices.get(name) !== undefined) continue;
    settings.log.warn({ model: name, pricesAsOf }, "price of the model is unknown, its calls are counted without cost");
  }
  const desk: Desk = {
    ...settings,
    chain,
    priceOf: ({ name }) => prices.get(name),
    fenceOf: createFences(settings.random),
    outUntil: new Map(),
  };
  return {
    ask: async (question) => await ask(desk, question),
    converse: async (turn) => await converse(desk, turn),
  };
}
