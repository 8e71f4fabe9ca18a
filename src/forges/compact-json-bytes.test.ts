import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areEscapesSound, hasControlBytes } from "#forges/compact-json-bytes.ts";

describe("control bytes", () => {
  it("are found wherever they are, and nothing else is taken for one", () => {
    const anyByte = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0x20, max: 0xff }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xff }) },
    );
    const anyPlace = fc.record({ bytes: fc.array(anyByte, { maxLength: 70 }), offset: fc.nat({ max: 9 }) });
    fc.assert(
      fc.property(anyPlace, ({ bytes, offset }) => {
        // Control bytes all around: those of the neighbours must not be seen.
        const place = new Uint8Array(offset + bytes.length + 9);
        place.set(bytes, offset);
        const seen = hasControlBytes(place.subarray(offset, offset + bytes.length));
        expect(seen).toBe(bytes.some((byte) => byte < 0x20));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("escapes", () => {
  it("are sound where JSON takes a string of them, and nowhere else", () => {
    const anyPiece = fc.constantFrom(
      "\\",
      "\\\\",
      "\\n",
      "\\u",
      "\\u00e9",
      "\\u00E9",
      "\\u12",
      "\\x",
      "u",
      "n",
      "0",
      "é",
      " ",
    );
    fc.assert(
      fc.property(fc.array(anyPiece), (pieces) => {
        const text = pieces.join("");
        expect(areEscapesSound(text)).toBe(isJson(`"${text} "`));
      }),
      { numRuns: 1000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
