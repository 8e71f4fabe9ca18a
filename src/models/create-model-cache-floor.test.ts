import { describe, expect, it } from "vitest";
import { cacheTokensMinOf } from "#models/create-model.ts";

describe("the shortest beginning that a provider keeps", () => {
  it.each([
    ["openai", "gpt-5"],
    ["anthropic", "claude-sonnet-4-5-20250929"],
    ["anthropic", "claude-opus-4-1"],
    ["openrouter", "anthropic/claude-sonnet-4.5"],
    ["openrouter", "openai/gpt-5-mini"],
  ] as const)("is known for %s %s", (provider, model) => {
    expect(cacheTokensMinOf({ provider, model })).toBe(1_024);
  });

  it.each([
    ["anthropic", "claude-haiku-4-5"],
    ["anthropic", "claude-opus-4-5"],
    ["anthropic", "claude-sonnet-4-6"],
    ["google", "gemini-2.5-pro"],
    ["compatible", "gpt-5"],
    ["openrouter", "gpt-5"],
    ["openrouter", "google/gemini-2.5-flash"],
  ] as const)("is not known for %s %s", (provider, model) => {
    expect(cacheTokensMinOf({ provider, model })).toBeUndefined();
  });
});
