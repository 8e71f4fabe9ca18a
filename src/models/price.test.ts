import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, type Price, readTokens } from "#models/price.ts";

const price: Price = { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15, long: null };
const none = { input: 0, cached: 0, cacheWritten: 0, output: 0 };

describe("a cost", () => {
  it("is each kind of token at its own price", () => {
    expect(costOf({ input: 1_000, cached: 600, cacheWritten: 300, output: 10 }, price)).toBe(300 + 180 + 1_125 + 150);
  });

  it("counts what is put into a cache as input where that has no price of its own", () => {
    expect(costOf({ ...none, input: 100, cacheWritten: 100 }, { ...price, cacheWrite: null })).toBe(300);
  });

  it("is rounded up, and only where there is a rest", () => {
    expect(costOf({ ...none, input: 1, cached: 1 }, price)).toBe(1);
    expect(costOf({ ...none, input: 10, cached: 10 }, price)).toBe(3);
  });

  it("is that of long prompts from their length on, and unknown where nobody looked that up", () => {
    const rates = { input: 6, cached: 0.6, cacheWrite: null, output: 22.5 };
    const long = { ...price, long: { tokensInMin: 200_000, rates } };
    expect(costOf({ ...none, input: 199_999 }, long)).toBe(599_997);
    expect(costOf({ ...none, input: 200_000 }, long)).toBe(1_200_000);
    expect(costOf({ ...none, input: 200_000 }, { ...price, long: { tokensInMin: 200_000, rates: null } })).toBeNull();
  });

  it("is whole, never negative, and not less for more", () => {
    const count = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(count, count, count, count, (input, cached, cacheWritten, output) => {
        const cost = costOf({ input, cached, cacheWritten, output }, price) ?? -1;
        expect(Number.isSafeInteger(cost)).toBe(true);
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(costOf({ input, cached, cacheWritten, output: output + 1 }, price)).toBeGreaterThan(cost);
      }),
    );
  });
});

describe("what a provider counted", () => {
  const inputTokens = { total: 12, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const outputTokens = { total: 3, text: undefined, reasoning: undefined };

  it("is read with nothing from the cache where it says nothing of one", () => {
    expect(readTokens({ inputTokens, outputTokens })).toEqual({ input: 12, cached: 0, cacheWritten: 0, output: 3 });
  });

  it("stays a number that can be summed up, whatever it says", () => {
    for (const total of [1e300, Number.MAX_SAFE_INTEGER, -5]) {
      const read = readTokens({ inputTokens, outputTokens: { ...outputTokens, total } });
      expect(read?.output).toBeLessThanOrEqual(1_000_000_000);
      expect(read?.output).toBeGreaterThanOrEqual(0);
    }
  });

  it("is not believed where it says that there was no prompt", () => {
    expect(readTokens({ inputTokens: { ...inputTokens, total: 0 }, outputTokens })).toBeUndefined();
    expect(readTokens({ inputTokens: { ...inputTokens, total: undefined }, outputTokens })).toBeUndefined();
    expect(readTokens({ inputTokens, outputTokens: { ...outputTokens, total: undefined } })).toBeUndefined();
  });
});
