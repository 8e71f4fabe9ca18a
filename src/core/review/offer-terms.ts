import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/** How a review differs from what is configured, to cost less. */
export const OfferTerms = z.strictObject({
  isCheaper: z.boolean(),
  isBatch: z.boolean(),
  /** The change is packed into so many conversations at most, and the rest stays unread; null: as many as always. */
  callsMax: z.number().int().positive().nullable(),
});
export type OfferTerms = Data<typeof OfferTerms>;

export const asConfigured: OfferTerms = { isCheaper: false, isBatch: false, callsMax: null };
