import { createHmac } from "node:crypto";
import { earliest, formatDuration } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { anthropicBatchApi } from "#models/anthropic-batches.ts";
import { createBatchClient } from "#models/batch-client.ts";
import { type ModelCallContext, type TurnUsage, usageOf } from "#models/model-call-context.ts";
import { createModelClient, type ModelClient } from "#models/model-client.ts";
import type { ChainEntry, ModelSettings } from "#models/model-settings.ts";
import { openaiBatchApi } from "#models/openai-batches.ts";
import { costOf, type Price } from "#models/price.ts";
import { findPrice, pricesAsOf } from "#models/prices.ts";
import { splitPromptPrefix } from "#models/prompt-prefix.ts";
import type { ModelFailure } from "#models/read-failure.ts";
import { readMaker } from "#models/read-maker.ts";
import { runTurn, type TurnContext } from "#models/run-turn.ts";
import { withDeadline } from "#models/with-deadline.ts";
import type { Batches } from "#ports/batches.ts";
import type {
  DeliveryMode,
  ExpectedTokens,
  Model,
  ModelAnswer,
  ModelMessage,
  ModelQuestion,
  ModelTurn,
  TurnOutcome,
} from "#ports/model.ts";
import type { Random } from "#ports/random.ts";

const batchShare = 0.5;

const anthropicEarly = /^claude-(?:sonnet-(?:4|4-0|4-5|5)|opus-4(?:-[018])?)(?:-\d{8}|-latest)?$/;

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

/** Undefined if unknown, if sources disagree, or if too long to reach by showing more. As of November 2026. */
export function cacheTokensMinOf({ provider, model }: Pick<ChainEntry, "provider" | "model">): number | undefined {
  const made = provider === "openrouter" ? readMaker(model) : { maker: provider, name: model };
  const [maker, name] = [made.maker, made.name.replaceAll(".", "-")];
  if (maker === "openai") return 1_024;
  return maker === "anthropic" && anthropicEarly.test(name) ? 1_024 : undefined;
}

interface Expected {
  readonly tokens: ExpectedTokens;
  readonly delivery: DeliveryMode;
  /** Models without a price then cost as the dearest of the others. */
  readonly allowsUnpriced: boolean;
}

/**
 * With the dearest model. Null if one price is unknown; if unpriced models are allowed, only if all are. Cache writes count
 * where they cost more. Prices of long prompts do not matter: no single request is long.
 */
export function estimateCost(
  prices: readonly (Price | undefined)[],
  { tokens, delivery, allowsUnpriced }: Expected,
): number | null {
  const input = tokens.fresh + tokens.cached;
  const used = { input, cached: tokens.cached, cacheWritten: tokens.fresh, output: tokens.out };
  const costs = prices.map((price) => (price === undefined ? null : costOf(used, { ...price, long: null })));
  const known = costs.filter((cost) => cost !== null);
  if (known.length === 0 || (known.length < costs.length && !allowsUnpriced)) return null;
  return Math.ceil(Math.max(...known) * (delivery === "batch" ? batchShare : 1));
}

async function askChain<Value>(
  context: ModelCallContext,
  turn: ModelTurn<Value>,
  { isShort }: Pick<TurnContext<Value>, "isShort"> = { isShort: false },
): Promise<TurnOutcome<Value>> {
  const bill: TurnUsage = { purpose: turn.purpose, calls: [], onCall: turn.onCall };
  const limit = { ms: turn.limits.timeMsMax, signal: turn.signal };
  return await withDeadline(
    context.clock,
    limit,
    async (signal) => await alongChain(context, { turn, bill, signal, isShort }),
  );
}

/** The next model begins anew: thoughts and calls are in a form of each. After an unreadable answer none is asked. */
async function alongChain<Value>(
  context: ModelCallContext,
  atHand: Omit<TurnContext<Value>, "model">,
): Promise<TurnOutcome<Value>> {
  const { turn, bill, signal } = atHand;
  const failures: ModelFailure[] = [];
  for (const [index, model] of context.chain.entries()) {
    if (signal.aborted) break;
    const taken = await runTurn(context, { ...atHand, model });
    if (taken.kind !== "out") return { ...taken, usage: usageOf(bill) };
    failures.push(taken.failure);
    const next = context.chain[index + 1];
    if (next === undefined || signal.aborted) continue;
    context.log.warn({ model: model.name, next: next.name, why: taken.failure.why }, "model is out, asking the next");
  }
  const usage = usageOf(bill);
  if (turn.signal.aborted) return { kind: "failed", why: "nobody wants the answer any more", retryAt: null, usage };
  if (signal.aborted) return { kind: "failed", why: lateWords(turn, failures), retryAt: null, usage };
  const retryAt = earliest(failures.map((failure) => failure.retryAt ?? undefined)) ?? null;
  return { kind: "failed", why: failures.map(({ why }) => why).join("; "), retryAt, usage };
}

function lateWords<Value>({ limits }: ModelTurn<Value>, failures: readonly ModelFailure[]): string {
  // The model that was asked last is no reason; those before it are.
  const reasons = failures
    .filter(({ outcome, isPassing }) => isPassing || outcome === "rejected")
    .map(({ why }) => why);
  return [`no answer within ${formatDuration(limits.timeMsMax)}`, ...reasons].join("; ");
}
