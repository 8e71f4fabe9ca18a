import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyText } from "#store/key-text.ts";

/** Characters that escapes are made of or made for, among some that are neither. */
const oddKey = fc
  .array(fc.constantFrom("\u0000", "\ud83d", "\ude00", "\\", '"', "u", "0", "d", "a", "ä", "/", "\ufffd"), {
    maxLength: 12,
  })
  .map((characters) => characters.join(""));
const longKey = fc.nat({ max: 400 }).map((length) => "\u0000漢".repeat(length));
const someKey = fc.oneof(oddKey, longKey, oddKey.map(keyText), longKey.map(keyText));

const indexBytesMax = 2704;

describe("the text of a key", () => {
  it("is the key itself for those that Drover makes", () => {
    const key = "github.com/R_kgDOABC%2B/12/review/general/0001aaaa#plain";
    expect(keyText(key)).toBe(key);
  });

  it("is nothing that PostgreSQL refuses, and two of it fit an index", () => {
    fc.assert(
      fc.property(someKey, (key) => {
        const text = keyText(key);
        expect(text).not.toContain("\u0000");
        // Half a character would be replaced on the way out.
        expect(Buffer.from(text).toString()).toBe(text);
        expect(2 * Buffer.byteLength(text)).toBeLessThan(indexBytesMax);
      }),
    );
  });

  it("differs for different keys", () => {
    fc.assert(
      fc.property(someKey, someKey, (left, right) => {
        expect(keyText(left) === keyText(right)).toBe(left === right);
      }),
      { numRuns: 500 },
    );
    const long = "a".repeat(5000);
    expect(keyText(`${long}b`)).not.toBe(keyText(`${long}c`));
    expect(keyText(keyText(long))).not.toBe(keyText(long));
  });
});
