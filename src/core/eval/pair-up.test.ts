import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairUp } from "#core/eval/pair-up.ts";

const wishes = fc.array(fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 }), { maxLength: 6 });

/** The size of the largest pairing, by trying every one of them. */
function largest(wanted: readonly (readonly number[])[], taken: ReadonlySet<number> = new Set()): number {
  const [first, ...rest] = wanted;
  if (first === undefined) return 0;
  const options = first.filter((partner) => !taken.has(partner));
  return Math.max(largest(rest, taken), ...options.map((partner) => 1 + largest(rest, new Set([...taken, partner]))));
}

function sizeOf(partners: readonly (number | null)[]): number {
  return partners.filter((partner) => partner !== null).length;
}

describe("pairing up", () => {
  it("gives nobody what it did not want, and nothing to two", () => {
    fc.assert(
      fc.property(wishes, (wanted) => {
        const partners = pairUp(wanted);
        const given = partners.filter((partner) => partner !== null);
        expect(partners).toHaveLength(wanted.length);
        expect(new Set(given).size).toBe(given.length);
        expect(partners.every((partner, index) => partner === null || wanted[index]?.includes(partner))).toBe(true);
      }),
    );
  });

  it("makes as many pairs as there can be", () => {
    fc.assert(
      fc.property(wishes, (wanted) => {
        expect(sizeOf(pairUp(wanted))).toBe(largest(wanted));
      }),
    );
  });

  it("pairs as many of the first ones as if the later ones were not there", () => {
    fc.assert(
      fc.property(wishes, fc.nat({ max: 6 }), (wanted, count) => {
        expect(sizeOf(pairUp(wanted).slice(0, count))).toBe(largest(wanted.slice(0, count)));
      }),
    );
  });

  it("gives the dearest where nobody else needs it", () => {
    expect(pairUp([[1, 0], [0]])).toEqual([1, 0]);
    expect(pairUp([[0, 1], [0]])).toEqual([1, 0]);
  });
});
