import { costOf, type Price } from "#models/price.ts";
import type { DeliveryMode, ExpectedTokens } from "#ports/model.ts";

const batchShare = 0.5;

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
