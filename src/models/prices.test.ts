import { describe, expect, it } from "vitest";
import type { Price } from "#models/price.ts";
import { findPrice, pricesAsOf } from "#models/prices.ts";

const mine: Price = { input: 1, cached: 1, cacheWrite: null, output: 1, long: null };

describe("a price", () => {
  it("is found under the name of the model, with or without the date of its version", () => {
    const known = findPrice({ provider: "anthropic", model: "claude-sonnet-4-5" }, {});
    expect(known).toMatchObject({ input: 3, cached: 0.3, cacheWrite: 3.75, output: 15 });
    expect(findPrice({ provider: "anthropic", model: "claude-sonnet-4-5-20250929" }, {})).toEqual(known);
    expect(findPrice({ provider: "openai", model: "gpt-5-mini-2025-08-07" }, {})).toMatchObject({ input: 0.25 });
  });

  it.each(["claude-sonnet-99", "", "constructor", "__proto__", "claude-sonnet-4-5-20250929-mini"])(
    "of the model %j is unknown",
    (model) => {
      expect(findPrice({ provider: "anthropic", model }, {})).toBeUndefined();
    },
  );

  it("of a model at another provider is another one", () => {
    expect(findPrice({ provider: "compatible", model: "gpt-5" }, {})).toBeUndefined();
    expect(findPrice({ provider: "openrouter", model: "gpt-5" }, {})).toBeUndefined();
  });

  it("is the operator's where there is one, the more exact name first", () => {
    const other = { ...mine, input: 9 };
    const overrides = { "gpt-5": mine, "compatible/gpt-5": other };
    expect(findPrice({ provider: "openai", model: "gpt-5" }, overrides)).toBe(mine);
    expect(findPrice({ provider: "compatible", model: "gpt-5" }, overrides)).toBe(other);
    expect(findPrice({ provider: "openai", model: "gpt-5-2025-08-07" }, overrides)).toBe(mine);
  });

  it("has a date", () => {
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});
