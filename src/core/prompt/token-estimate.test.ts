import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "#core/prompt/token-estimate.ts";

const text = fc
  .array(fc.constantFrom("word", "Camel", "ABC", " ", "    ", "\t", "\n", "12", "({", "ä", "ж", "字", "😀", "ꙮ"))
  .map((parts) => parts.join(""));

describe("the estimate of tokens", () => {
  it("is bounded by the bytes of the text, which no tokenizer exceeds", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(estimateTokens(value)).toBeLessThanOrEqual(3 * value.length + 1);
      }),
    );
  });

  it("does not fall when something is added", () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(estimateTokens(left)).toBeLessThanOrEqual(estimateTokens(left + right));
      }),
    );
  });

  it("is 0 for an empty text, and 1 for a word", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("word")).toBe(1);
    expect(estimateTokens("two words")).toBe(3);
  });

  it("stays cheap where tokenizers stall: a hundred kilobytes of one character", () => {
    for (const character of ["a", "A", "=", " ", "\n", "字", "\u0301"]) {
      expect(estimateTokens(character.repeat(100_000))).toBeGreaterThan(1_000);
    }
  });
});
