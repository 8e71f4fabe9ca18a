import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decodeText, encodeText } from "#core/diff/byte-scan.ts";
import { readName } from "#core/diff/quoted-name.ts";

function read(written: string): string | undefined {
  const bytes = encodeText(written);
  const name = readName(bytes, { from: 0, to: bytes.length });
  return name?.end === bytes.length ? decodeText(name.name) : undefined;
}

it("a quoted name is read with every escape that git writes", () => {
  expect(read(String.raw`"\a\b\t\n\v\f\r\"\\"`)).toBe('\u0007\b\t\n\v\f\r"\\');
  expect(read(String.raw`"gr\303\274\303\237e \360\237\220\204"`)).toBe("grüße 🐄");
});

it("a name without quotes is read as it is", () => {
  expect(read(String.raw`a b\303 c`)).toBe(String.raw`a b\303 c`);
});

it.each(['"', '"open', '"bad \\x"', '"\\400"', '"\\07"', '"\\1', '"\\', '"closed" early'])(
  "a quoted name is refused for %s",
  (written) => {
    expect(read(written)).toBeUndefined();
  },
);

it("a quoted name gives back the bytes that were quoted, whatever they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (name) => {
      const quoted = Array.from(name, (value) => `\\${value.toString(8).padStart(3, "0")}`).join("");
      const bytes = encodeText(`"${quoted}" rest`);
      expect(readName(bytes, { from: 0, to: bytes.length })).toEqual({ name, end: quoted.length + 2 });
    }),
  );
});
