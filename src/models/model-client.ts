import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { z } from "zod";
import { never } from "#core/never.ts";
import { type ProviderModel, type ProviderOptions } from "#models/language-model.ts";
import { type ChainEntry, type ModelProvider } from "#models/model-settings.ts";

/** The package puts a one-part message's mark where OpenRouter does not look: it belongs to the part. */
function arrayOfMarked(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Array.isArray(body["messages"])) return body;
  return { ...body, messages: body["messages"].map(withMarkInside) };
}

const MarkedMessage = z.looseObject({ role: z.string(), content: z.string(), cache_control: z.unknown() });

function withMarkInside(message: unknown): unknown {
  const read = MarkedMessage.safeParse(message);
  if (!read.success || read.data.cache_control === undefined) return message;
  const { cache_control, content, ...rest } = read.data;
  return { ...rest, content: [{ type: "text", text: content, cache_control }] };
}

export interface ModelClient {
  readonly name: string;
  readonly entry: ChainEntry;
  /** Without a slash at the end. */
  readonly address: string;
  /** Each call has its own fetch, to observe its activity. */
  readonly withFetch: (fetch: Fetch) => ProviderModel;
  /** Put on the last part that stays from turn to turn; null where the provider finds that by itself. */
  readonly cacheMark: ProviderOptions | null;
  readonly isShapeEnforced: boolean;
  /** Sent with every call. Calls with the same beginning have the same key, to meet the same cache. */
  readonly optionsOf: (cacheKey: string) => ProviderOptions;
  /** In dollars, where the provider says so itself. */
  readonly reportsCost: boolean;
}

type Fetch = typeof globalThis.fetch;

export function createModelClient(entry: ChainEntry): ModelClient {
  const { model } = entry;
  const address = addressOf(entry).replace(/\/+$/, "");
  const common = {
    name: `${entry.provider}/${model}`,
    entry,
    address,
    cacheMark: null,
    isShapeEnforced: entry.shapes === "enforced",
    optionsOf: () => ({}),
    reportsCost: false,
  };
  // The packages would look for missing values in the environment, and could send the key to another address.
  const reach = { baseURL: address, apiKey: entry.key?.reveal() ?? "none" };
  switch (entry.provider) {
    case "anthropic":
      return { ...common, withFetch: (fetch) => createAnthropic({ ...reach, fetch })(model), cacheMark: anthropicMark };
    case "openai":
      return {
        ...common,
        withFetch: (fetch) => createOpenAI({ ...reach, fetch }).responses(model),
        // Nothing of a repository stays with the provider longer than it must.
        optionsOf: (promptCacheKey) => ({ openai: { store: false, promptCacheKey, strictJsonSchema: false } }),
      };
    case "google":
      return { ...common, withFetch: (fetch) => createGoogleGenerativeAI({ ...reach, fetch })(model) };
    case "openrouter":
      return {
        ...common,
        withFetch: compatible(entry, reach.baseURL),
        // Behind OpenRouter, Anthropic's models need their marks all the same.
        cacheMark: model.startsWith("anthropic/") ? openRouterMark : null,
        optionsOf: looseSchema,
        reportsCost: true,
      };
    case "compatible":
      return {
        ...common,
        withFetch: compatible(entry, reach.baseURL),
        isShapeEnforced: entry.shapes !== "told",
        optionsOf: looseSchema,
      };
    default:
      return never(entry.provider);
  }
}

const anthropicMark: ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
const openRouterMark: ProviderOptions = { openaiCompatible: { cache_control: { type: "ephemeral" } } };
/** Strict mode refuses optional fields; answers are read against the whole schema anyway. */
function looseSchema(): ProviderOptions {
  return { openaiCompatible: { strictJsonSchema: false } };
}

function addressOf({ provider, model, baseUrl }: ChainEntry): string {
  const address = baseUrl ?? addresses[provider];
  if (address === null) throw new Error(`the model ${model} of a compatible server needs the server's address`);
  return address;
}

const addresses: Readonly<Record<ModelProvider, string | null>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  openrouter: "https://openrouter.ai/api/v1",
  compatible: null,
};

function compatible({ provider, model, key }: ChainEntry, baseURL: string): ModelClient["withFetch"] {
  return (fetch) =>
    createOpenAICompatible({
      name: provider,
      baseURL,
      ...(key === null ? {} : { apiKey: key.reveal() }),
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      transformRequestBody: arrayOfMarked,
    })(model);
}
