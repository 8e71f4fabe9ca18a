import { costOf, type Price } from "#models/price.ts";
import type { DeliveryMode, ExpectedTokens } from "#ports/model.ts";

/** Providers that take batches take half for them. */
const batchShare = 0.5;

interface Expected {
  readonly tokens: ExpectedTokens;
  readonly delivery: DeliveryMode;
  /** Models without a price may be asked: then they are taken to cost what the dearest of the others does. */
  readonly allowsUnpriced: boolean;
}

/**
 * About what it costs if the dearest of these models has to answer; null as soon as the price of one is unknown, or only
 * where no price is known if such models may be asked: with nothing set aside, any number of looks would begin. Input is taken to be written into the cache where that costs more. Prices for long prompts are not looked at: nobody here sends
 * one, a single request being a part of the sum.
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
