import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "#core/blocks/canonical-json.ts";

describe("canonicalJson", () => {
  it("sorts keys and escapes whatever could mean something outside", () => {
    const value = { b: ["@drover `x`", null, true, 1.5], a: "</details>~&\u2028\u{1F600}\u200B\n", é: 0 };
    expect(canonicalJson(value)).toBe(
      '{"a":"\\u003c/details\\u003e\\u007e\\u0026\\u2028\\ud83d\\ude00\\u200b\\n",' +
        '"b":["\\u0040drover \\u0060x\\u0060",null,true,1.5],"\\u00e9":0}',
    );
  });

  it("writes plain ASCII that reads back as the same value, in one spelling", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        const json = canonicalJson(plain) ?? "";
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(json).not.toMatch(/[@`<>~&]/);
        expect(JSON.parse(json)).toEqual(plain);
        expect(canonicalJson(JSON.parse(json))).toBe(json);
      }),
    );
  });

  it("tells lone halves of characters apart", () => {
    expect(canonicalJson("\ud800")).toBe('"\\ud800"');
    expect(canonicalJson("\ufffd")).toBe('"\\ufffd"');
  });

  it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, 1n, [undefined], { a: undefined }])(
    "has no spelling for what JSON has not",
    (value) => expect(canonicalJson(value)).toBeUndefined(),
  );

  it("gives up on values nested beyond reason, without exhausting the stack", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(canonicalJson(JSON.parse(deep))).toBeUndefined();
  });
});
