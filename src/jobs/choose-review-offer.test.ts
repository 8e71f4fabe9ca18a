import { describe, expect, it } from "vitest";
import { asConfigured } from "#core/review/offer-terms.ts";
import { ChosenBatch } from "#jobs/choose-review-offer.ts";

describe("the terms of a batch that was chosen", () => {
  it("are read as they are stored", () => {
    const chosen = { offer: { isCheaper: true, isBatch: true, callsMax: 2 }, costMicroUsd: 5 };
    expect(ChosenBatch.parse(chosen)).toEqual(chosen);
  });

  it.each([
    ["batch", { ...asConfigured, isBatch: true }],
    ["cheaper+batch", { isCheaper: true, isBatch: true, callsMax: null }],
    ["cheaper+batch+calls=2", { isCheaper: true, isBatch: true, callsMax: 2 }],
    ["configured", asConfigured],
    ["calls=x", asConfigured],
  ])("are read from the text %j of an earlier version", (text, terms) => {
    expect(ChosenBatch.parse({ offer: text, costMicroUsd: null })).toEqual({ offer: terms, costMicroUsd: null });
  });
});
