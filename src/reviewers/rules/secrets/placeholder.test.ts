import { describe, expect, it } from "vitest";
import { isPlaceholder } from "#reviewers/rules/secrets/placeholder.ts";

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Evenly spread characters, always the same ones: fast-check repeats itself on purpose, as no issuer does. */
function randomBodies(count: number, length: number): readonly string[] {
  let state = 0x2545f491;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % digits.length;
  };
  return Array.from({ length: count }, () => Array.from({ length }, () => digits[next()]).join(""));
}

describe("a placeholder", () => {
  it.each([
    "YOUR_TOKEN_HERE",
    "xxxxxxxxxxxxxxxx",
    "IOSFODNN7EXAMPLE",
    "1234567890abcdef",
    "aaaaabbbbbccccc",
    "test-key-42",
    "ababababababab",
  ])("is %s", (body) => {
    expect(isPlaceholder(body)).toBe(true);
  });

  it("is not what an issuer makes", () => {
    expect(randomBodies(2_000, 36).filter(isPlaceholder)).toEqual([]);
  });
});
