import { z } from "zod";
import type { Data } from "#core/model/data.ts";

export const OfferTerms = z.strictObject({
  isCheaper: z.boolean(),
  isBatch: z.boolean(),
  /** The rest of the change stays unread; null: as many as always. */
  callsMax: z.number().int().positive().nullable(),
});
export type OfferTerms = Data<typeof OfferTerms>;

export const asConfigured: OfferTerms = { isCheaper: false, isBatch: false, callsMax: null };
