import { createHmac } from "node:crypto";
import { never } from "#core/never.ts";
import { anthropicBatchApi } from "#models/anthropic-batches.ts";
import { askChain } from "#models/ask-chain.ts";
import { createBatchClient } from "#models/batch-client.ts";
import { cacheTokensMinOf } from "#models/cache-floor.ts";
import { estimateCost } from "#models/estimate-cost.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import { createModelClient, type ModelClient } from "#models/model-client.ts";
import type { ModelSettings } from "#models/model-settings.ts";
import { openaiBatchApi } from "#models/openai-batches.ts";
import type { Price } from "#models/price.ts";
import { findPrice, pricesAsOf } from "#models/prices.ts";
import { splitPromptPrefix } from "#models/prompt-prefix.ts";
import type { Batches } from "#ports/batches.ts";
import type { Model, ModelAnswer, ModelMessage, ModelQuestion, ModelTurn } from "#ports/model.ts";
import type { Random } from "#ports/random.ts";

/** Throws if the chain itself is wrong; makes no call yet. */
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

function createBatches(context: ModelCallContext, model: ModelClient): Batches | undefined {
  switch (model.entry.provider) {
    case "openai":
      return createBatchClient(context, model, openaiBatchApi);
    case "anthropic":
      return createBatchClient(context, model, anthropicBatchApi);
    case "google":
    case "openrouter":
    case "compatible":
      return undefined;
    default:
      return never(model.entry.provider);
  }
}

async function askQuestion(context: ModelCallContext, question: ModelQuestion): Promise<ModelAnswer> {
  const { purpose, prompt, answerCharactersMax, signal, onCall } = question;
  const turn: ModelTurn<string> = {
    purpose,
    messages: [{ from: "drover", parts: prompt }],
    shape: null,
    tools: [],
    // A token is at least one character; what a model thinks before it answers needs room as well.
    limits: { answerTokensMax: answerCharactersMax, toolCallsMax: 0, timeMsMax: context.durations.askMsMax },
    signal,
    onCall,
  };
  const outcome = await askChain(context, turn, { isShort: true });
  const { costMicroUsd } = outcome.usage;
  if (outcome.kind === "failed") return { kind: "failed", why: outcome.why, retryAt: outcome.retryAt, costMicroUsd };
  if (outcome.kind === "unreadable") return { kind: "failed", why: outcome.why, retryAt: null, costMicroUsd };
  const text = outcome.value.slice(0, answerCharactersMax);
  const isCut = outcome.isCut === true || text.length < outcome.value.length;
  return { kind: "answered", text, costMicroUsd, isCut };
}

/**
 * The same in all turns, for the provider's cache, without a store: derived from the conversation's first data with a key
 * of this process. Who learns a fence and writes it into that data gets another one; later data loses the fence.
 * Instructions play no part, so conversations about the same data share their beginning.
 */
function createFences(random: Random): (messages: readonly ModelMessage[]) => string {
  const key = random.token() + random.token();
  return (messages) => {
    const hmac = createHmac("sha256", key);
    for (const part of splitPromptPrefix(messages).data) {
      if (part.kind === "data") hmac.update(JSON.stringify([part.title, part.text]));
    }
    return hmac.digest("hex").slice(0, fenceCharacters);
  };
}

/** 64 bits cannot be found by trying; every part pays for them in tokens. */
const fenceCharacters = 16;
