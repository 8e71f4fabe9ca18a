import type { ModelProvider } from "#models/model-settings.ts";
import type { Price } from "#models/price.ts";
import { readMaker } from "#models/read-maker.ts";

/** When the table was last compared with the providers' prices. A change of a price changes this date. */
export const pricesAsOf = "2026-11-16";

/** Undefined: unknown, which is reported and never counts as free. A date behind the name is ignored. */
export function findPrice(
  { provider, model }: { readonly provider: ModelProvider; readonly model: string },
  overrides: Readonly<Record<string, Price>>,
): Price | undefined {
  const names = [model, model.replace(/-(?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/, "")];
  for (const name of names) {
    const said = own(overrides, `${provider}/${name}`) ?? own(overrides, name);
    if (said !== undefined) return provider === "anthropic" ? withSurcharge(said) : said;
  }
  return provider === "openrouter" ? makersPrice(names) : inTable(provider, names);
}

/** OpenRouter passes prices on. The cost in its answers wins; this is for reservations. */
function makersPrice(models: readonly string[]): Price | undefined {
  const made = models.map(readMaker);
  const names = made.flatMap(({ name }) => [name, name.replaceAll(".", "-")]);
  return inTable(made[0]?.maker ?? "", names);
}

function inTable(provider: string, names: readonly string[]): Price | undefined {
  const table = own<Readonly<Record<string, Price>>>(tables, provider);
  if (table === undefined) return undefined;
  for (const name of names) {
    const known = own(table, name);
    if (known !== undefined) return known;
  }
  return undefined;
}

function own<Value>(record: Readonly<Partial<Record<string, Value>>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

type Rates = readonly [input: number, cached: number, output: number];

/** For input that is put into the five-minute cache. */
const anthropicWriteShare = 1.25;

function anthropic([input, cached, output]: Rates, long: Price["long"] = null): Price {
  return { input, cached, cacheWrite: input * anthropicWriteShare, output, long };
}

function surcharged(rates: Omit<Price, "long">): Omit<Price, "long"> {
  return { ...rates, cacheWrite: rates.cacheWrite ?? rates.input * anthropicWriteShare };
}

/** An operator's price without that part takes the provider's usual one. */
function withSurcharge({ long, ...rates }: Price): Price {
  const rest = long === null || long.rates === null ? long : { ...long, rates: surcharged(long.rates) };
  return { ...surcharged(rates), long: rest };
}

function plain([input, cached, output]: Rates, long: Price["long"] = null): Price {
  return { input, cached, cacheWrite: null, output, long };
}

function beyond(tokensInMin: number, [input, cached, output]: Rates): Price["long"] {
  return { tokensInMin, rates: { input, cached, cacheWrite: null, output } };
}

/** Newer models of OpenAI cost more from 272,000 tokens of input; how much is not known. */
const unknownBeyond272k: Price["long"] = { tokensInMin: 272_000, rates: null };

/** Only models on whose price the sources agree. OpenRouter says with each answer what it cost. */
const tables: Readonly<Partial<Record<ModelProvider, Readonly<Record<string, Price>>>>> = {
  anthropic: {
    "claude-opus-5-5": anthropic([4, 0.2, 20]),
    "claude-opus-5": anthropic([5, 0.5, 25]),
    "claude-opus-4-8": anthropic([5, 0.5, 25]),
    "claude-opus-4-7": anthropic([5, 0.5, 25]),
    "claude-opus-4-6": anthropic([5, 0.5, 25]),
    "claude-opus-4-5": anthropic([5, 0.5, 25]),
    "claude-opus-4-1": anthropic([15, 1.5, 75]),
    "claude-sonnet-5-5": anthropic([2, 0.1, 10]),
    "claude-sonnet-5": anthropic([2, 0.2, 10]),
    "claude-sonnet-4-6": anthropic([3, 0.3, 15]),
    "claude-sonnet-4-5": anthropic([3, 0.3, 15], { tokensInMin: 200_000, rates: null }),
    "claude-haiku-4-5": anthropic([1, 0.1, 5]),
  },
  openai: {
    "gpt-5.5": plain([5, 0.5, 30], unknownBeyond272k),
    "gpt-5.4": plain([2.5, 0.25, 15], unknownBeyond272k),
    "gpt-5.4-mini": plain([0.75, 0.075, 4.5]),
    "gpt-5.4-nano": plain([0.2, 0.02, 1.25]),
    "gpt-5.2": plain([1.75, 0.175, 14]),
    "gpt-5.1": plain([1.25, 0.125, 10]),
    "gpt-5": plain([1.25, 0.125, 10]),
    "gpt-5-mini": plain([0.25, 0.025, 2]),
    "gpt-5-nano": plain([0.05, 0.005, 0.4]),
    "gpt-4.1": plain([2, 0.5, 8]),
    "gpt-4.1-mini": plain([0.4, 0.1, 1.6]),
  },
  google: {
    "gemini-3.1-flash-lite": plain([0.25, 0.025, 1.5]),
    "gemini-3.1-pro-preview": plain([2, 0.2, 12], beyond(200_000, [4, 0.4, 18])),
    "gemini-2.5-pro": plain([1.25, 0.125, 10], beyond(200_000, [2.5, 0.25, 15])),
    "gemini-2.5-flash": plain([0.3, 0.03, 2.5]),
    "gemini-2.5-flash-lite": plain([0.1, 0.01, 0.4]),
  },
};
