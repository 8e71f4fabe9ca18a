import { describe, expect, it } from "vitest";
import { estimateCost } from "#models/create-model.ts";
import type { Price } from "#models/price.ts";

const plain: Price = { input: 2, cached: 0.2, cacheWrite: null, output: 10, long: null };
const writing: Price = { ...plain, cacheWrite: 2.5, long: { tokensInMin: 10, rates: null } };
const dear: Price = { ...plain, input: 4, output: 20 };
const tokens = { fresh: 1_000, cached: 5_000, out: 100 };

describe("an estimate", () => {
  it("takes input at its price, what the cache serves at its own, and output", () => {
    expect(estimateCost([plain], { tokens, delivery: "now", allowsUnpriced: false })).toBe(2_000 + 1_000 + 1_000);
  });

  it("takes all fresh input to be written into the cache where that costs more", () => {
    expect(estimateCost([writing], { tokens, delivery: "now", allowsUnpriced: false })).toBe(2_500 + 1_000 + 1_000);
  });

  it("is half of it for a batch, rounded up", () => {
    expect(estimateCost([plain], { tokens, delivery: "batch", allowsUnpriced: false })).toBe(2_000);
    expect(
      estimateCost([plain], { tokens: { fresh: 0, cached: 5, out: 0 }, delivery: "batch", allowsUnpriced: false }),
    ).toBe(1);
  });

  it("is that of the dearest model that may have to answer", () => {
    expect(estimateCost([plain, dear], { tokens, delivery: "now", allowsUnpriced: false })).toBe(4_000 + 1_000 + 2_000);
  });

  it("is unknown as soon as one of them has no price", () => {
    expect(estimateCost([plain, undefined], { tokens, delivery: "now", allowsUnpriced: false })).toBeNull();
  });

  it("is that of the others where such models may be asked, and unknown where no price is known", () => {
    const allowed = { tokens, delivery: "now", allowsUnpriced: true } as const;
    expect(estimateCost([undefined, plain, dear, undefined], allowed)).toBe(4_000 + 1_000 + 2_000);
    expect(estimateCost([undefined], allowed)).toBeNull();
  });
});
