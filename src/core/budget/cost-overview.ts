import { z } from "zod";
import type { Data } from "#core/model/data.ts";

export const CostSort = z.enum(["pull", "repository", "role", "model", "day"]);
export type CostSort = Data<typeof CostSort>;

const count = z.number().int().nonnegative();

const sums = {
  calls: count,
  tokensIn: count,
  tokensCached: count,
  tokensOut: count,
  /** Of the calls whose price is known or can be estimated. */
  costMicroUsd: count,
  unpricedCalls: count,
};

const CostSums = z.strictObject(sums);
export type CostSums = Data<typeof CostSums>;

/** What models have cost, sorted by one thing. */
export const CostOverview = z.strictObject({
  by: CostSort,
  /** The dearest first; days in their order. */
  rows: z.array(
    z.strictObject({
      /** `owner/name#12`, `owner/name`, a role, a model or `2026-11-16`. What is no review is `(answer)`. */
      name: z.string(),
      /** Null where it is not about one forge. */
      forge: z.string().nullable(),
      ...sums,
    }),
  ),
  /** There are more rows than are shown. The sum is that of all. */
  isCut: z.boolean(),
  sum: CostSums,
  /** How much of the sum is estimated: calls that broke off. A server of the version before does not say. */
  estimatedMicroUsd: count.default(0),
  /** Models whose price is unknown. */
  unpriced: z.array(z.strictObject({ model: z.string(), calls: count })),
});
export type CostOverview = Data<typeof CostOverview>;
