import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findLineEnd, scanLineEnd, spells, viewOf } from "#core/diff/byte-scan.ts";

const nearNewline = fc.constantFrom(9, 10, 10, 11, 0, 0x0a ^ 0x80, 0x0b, 0x8a, 255);

it("eight bytes at a time find the same line ends as single bytes, from every offset and alignment", () => {
  fc.assert(
    fc.property(fc.array(nearNewline, { maxLength: 40 }), fc.nat(9), (values, shift) => {
      const bytes = Uint8Array.from([...Array.from({ length: shift }, () => 10), ...values]).subarray(shift);
      const view = viewOf(bytes);
      for (let from = 0; from <= bytes.length; from += 1) {
        expect(scanLineEnd(view, from)).toBe(findLineEnd(bytes, from));
      }
    }),
  );
});

it("the end of the last line is the length if no newline follows", () => {
  expect(findLineEnd(Uint8Array.of(10, 65), 1)).toBe(2);
});

it("spells only what fits into the input", () => {
  const bytes = new TextEncoder().encode("@@ -1");
  expect([spells(bytes, 0, "@@ -"), spells(bytes, 1, "@ -"), spells(bytes, 3, "-12"), spells(bytes, 9, "x")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
