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
 * About what it costs if the dearest of these models has to answer. Null as soon as the price of one is unknown; if
 * such models may be asked, only if no price is known. Without a reservation, any number of passes would begin. Input
 * is taken to be written into the cache where that costs more. Prices for long prompts do not matter: a single
 * request is a part of the sum, and none is long.
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
