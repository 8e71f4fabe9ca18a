import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSeededRandom } from "#testing/seeded-random.ts";

function tokens(seed: number, count: number): readonly string[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => random.token());
}

describe("seeded random", () => {
  it("gives the same tokens for the same seed", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(tokens(seed, 20)).toEqual(tokens(seed, 20));
      }),
    );
  });

  it("never gives a token twice, not to another seed either", () => {
    const seeds = fc.uniqueArray(fc.integer(), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(seeds, (chosen) => {
        const all = chosen.flatMap((seed) => tokens(seed, 200));
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });

  it("makes tokens of letters and digits alone", () => {
    for (const token of tokens(7, 100)) expect(token).toMatch(/^[0-9a-z]+$/);
  });
});
