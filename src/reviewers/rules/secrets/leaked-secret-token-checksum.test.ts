import { crc32 as zlibCrc32 } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32, hasTokenChecksum } from "#reviewers/rules/secrets/leaked-secret.ts";

describe("the checksum of a token", () => {
  it("holds for an example that is passed around, and for no other ending", () => {
    const published = ["zQWBuTSOoRi4A9spHcVY5ncn", "sDkxkJ", "0mLq17"].join("");
    expect(hasTokenChecksum(published)).toBe(true);
    expect(hasTokenChecksum(`${published.slice(0, -1)}8`)).toBe(false);
  });

  it("is the CRC-32 that everybody computes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect(crc32(text)).toBe(zlibCrc32(text));
      }),
    );
  });
});
