import type { WireUsage } from "#models/language-model.ts";

/** Dollars per million tokens: millionths of a dollar per token. */
export interface Price {
  readonly input: number;
  /** Served by the cache. */
  readonly cached: number;
  /** Put into the cache; null where that costs the same. */
  readonly cacheWrite: number | null;
  readonly output: number;
  /** For prompts with more input; `rates` is null if unknown. */
  readonly long: { readonly tokensInMin: number; readonly rates: Omit<Price, "long"> | null } | null;
}

export interface TokenCounts {
  readonly input: number;
  readonly cached: number;
  readonly cacheWritten: number;
  readonly output: number;
}

/** Undefined where not counted. No prompt has no tokens, so packages that write 0 for that are not believed. */
export function readTokens({ inputTokens, outputTokens }: WireUsage): TokenCounts | undefined {
  if (whole(inputTokens.total) === 0 || outputTokens.total === undefined) return undefined;
  return {
    input: whole(inputTokens.total),
    cached: whole(inputTokens.cacheRead),
    cacheWritten: whole(inputTokens.cacheWrite),
    output: whole(outputTokens.total),
  };
}

/** Millionths of a dollar, rounded up so that many small calls are not free; null if the price is unknown. */
export function costOf(tokens: TokenCounts, price: Price): number | null {
  const isLong = price.long !== null && tokens.input >= price.long.tokensInMin;
  const rates = isLong ? price.long.rates : price;
  if (rates === null) return null;
  const fresh = Math.max(0, tokens.input - tokens.cached - tokens.cacheWritten);
  const cost =
    fresh * rates.input +
    tokens.cached * rates.cached +
    tokens.cacheWritten * (rates.cacheWrite ?? rates.input) +
    tokens.output * rates.output;
  // Removes what binary fractions add: prices have few decimals.
  return Math.ceil(Number(cost.toFixed(6)));
}

/** More than any model reads in a day. Such a count is wrong, and must not make sums that overflow. */
const tokensMax = 1_000_000_000;

function whole(count: number | undefined): number {
  return count === undefined || !Number.isFinite(count) ? 0 : Math.min(tokensMax, Math.max(0, Math.round(count)));
}
