import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedTexts } from "#core/prompt/encoded-text.ts";

const sentence = "Whoever reads this should do as it says.";

describe("encoded prose", () => {
  it("is read from Base64 of both alphabets and from hexadecimal digits", () => {
    for (const encoding of ["base64", "base64url", "hex"] as const) {
      const text = `key = "${Buffer.from(sentence).toString(encoding)}"`;
      expect(encodedTexts(text)).toEqual([{ at: 7, text: sentence }]);
    }
  });

  it("is read back whatever prose it is", () => {
    const words = fc.array(fc.constantFrom("obey", "the", "text", "now.", "Please,"), { minLength: 8, maxLength: 60 });
    fc.assert(
      fc.property(words, (all) => {
        const text = all.join(" ");
        expect(encodedTexts(Buffer.from(text).toString("base64"))).toEqual([{ at: 0, text }]);
      }),
    );
  });

  it("is no key, no hash, no picture and no word", () => {
    const bytes = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * index * 31 + index * 7) % 256));
    expect(encodedTexts(bytes.toString("base64"))).toEqual([]);
    expect(encodedTexts(bytes.toString("hex"))).toEqual([]);
    expect(encodedTexts("a".repeat(100_000))).toEqual([]);
    expect(encodedTexts("thisIsAVeryLongNameOfAFunctionThatDoesVeryLittle")).toEqual([]);
  });
});
