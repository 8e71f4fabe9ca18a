import { costOf, type Price } from "#models/price.ts";
import type { Delivery, ExpectedTokens } from "#ports/model.ts";

/** Providers that take batches take half for them. */
const batchShare = 0.5;

/**
 * About what it costs if the dearest of these models has to answer; null as soon as the price of one is unknown. Input is
 * taken to be written into the cache where that costs more. Prices for long prompts are not looked at: nobody here sends
 * one, a single request being a part of the sum.
 */
export function estimateCost(
  prices: readonly (Price | undefined)[],
  { tokens, delivery }: { readonly tokens: ExpectedTokens; readonly delivery: Delivery },
): number | null {
  let dearest = 0;
  for (const price of prices) {
    if (price === undefined) return null;
    const input = tokens.fresh + tokens.cached;
    const used = { input, cached: tokens.cached, cacheWritten: tokens.fresh, output: tokens.out };
    const cost = costOf(used, { ...price, long: null });
    if (cost === null) return null;
    dearest = Math.max(dearest, cost);
  }
  return Math.ceil(dearest * (delivery === "batch" ? batchShare : 1));
}
