import { describe, expect, it } from "vitest";
import type { Price } from "#models/price.ts";
import { findPrice, pricesAsOf } from "#models/prices.ts";

const mine: Price = { input: 1, cached: 1, cacheWrite: null, output: 1, long: null };

function at(model: string): Price | undefined {
  return findPrice({ provider: "openrouter", model }, {});
}

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

  it("at OpenRouter is what the maker asks, until the answer says", () => {
    expect(at("anthropic/claude-sonnet-4.5")).toEqual(
      findPrice({ provider: "anthropic", model: "claude-sonnet-4-5" }, {}),
    );
    expect(at("openai/gpt-5.4-mini")).toMatchObject({ input: 0.75 });
    expect(at("google/gemini-2.5-pro")).toMatchObject({ input: 1.25 });
    expect([at("openai/gpt-5:free"), at("constructor/gpt-5"), at("compatible/gpt-5"), at("openai/")]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(findPrice({ provider: "openrouter", model: "openai/gpt-5" }, { "openai/gpt-5": mine })).toBe(mine);
  });

  it("is the operator's where there is one, the more exact name first", () => {
    const other = { ...mine, input: 9 };
    const overrides = { "gpt-5": mine, "compatible/gpt-5": other };
    expect(findPrice({ provider: "openai", model: "gpt-5" }, overrides)).toBe(mine);
    expect(findPrice({ provider: "compatible", model: "gpt-5" }, overrides)).toBe(other);
    expect(findPrice({ provider: "openai", model: "gpt-5-2025-08-07" }, overrides)).toBe(mine);
  });

  it("of Anthropic's that says nothing about what is put into the cache has the surcharge of the maker", () => {
    const said = { ...mine, input: 4, long: { tokensInMin: 9, rates: { ...mine, input: 8 } } };
    const prices = { "claude-next": said, "claude-told": { ...said, cacheWrite: 4 } };
    expect(findPrice({ provider: "anthropic", model: "claude-next" }, prices)).toMatchObject({
      input: 4,
      cacheWrite: 5,
      long: { tokensInMin: 9, rates: { input: 8, cacheWrite: 10 } },
    });
    expect(findPrice({ provider: "anthropic", model: "claude-told" }, prices)).toMatchObject({ cacheWrite: 4 });
    expect(findPrice({ provider: "compatible", model: "claude-next" }, prices)).toBe(said);
  });

  it("has a date", () => {
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});
