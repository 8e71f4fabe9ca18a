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
  costMicroUsd: count,
  unpricedCalls: count,
};

const CostSums = z.strictObject(sums);
export type CostSums = Data<typeof CostSums>;

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
  /** The sum is that of all rows, also those that are cut. */
  isCut: z.boolean(),
  sum: CostSums,
  /** Of calls that broke off. A server of the version before does not say. */
  estimatedMicroUsd: count.default(0),
  unpriced: z.array(z.strictObject({ model: z.string(), calls: count })),
});
export type CostOverview = Data<typeof CostOverview>;
