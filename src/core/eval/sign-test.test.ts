import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chanceMax, differingMin, signTest } from "#core/eval/sign-test.ts";

/** By throwing the coin in every possible way. */
function counted(better: number, worse: number): number {
  const tosses = better + worse;
  const apart = Math.abs(better - worse);
  let uneven = 0;
  for (let bits = 0; bits < 2 ** tosses; bits += 1) {
    const heads = bits.toString(2).replaceAll("0", "").length;
    if (Math.abs(heads - (tosses - heads)) >= apart) uneven += 1;
  }
  return uneven / 2 ** tosses;
}

const count = fc.nat({ max: 6 });

describe("the sign test", () => {
  it("says how often coins fall at least as unevenly", () => {
    fc.assert(
      fc.property(count, count, (better, worse) => {
        fc.pre(better + worse > 0);
        expect(signTest({ better, worse })).toBeCloseTo(counted(better, worse), 10);
      }),
      { numRuns: 60 },
    );
    expect(signTest({ better: 0, worse: 0 })).toBeNull();
  });

  it("does not care which of the two is better", () => {
    const any = fc.nat({ max: 3_000 });
    fc.assert(
      fc.property(any, any, (better, worse) => {
        expect(signTest({ better, worse })).toBe(signTest({ better: worse, worse: better }));
      }),
    );
  });

  it("stays a probability for sets of thousands", () => {
    expect(signTest({ better: 2_500, worse: 2_500 })).toBe(1);
    const chance = signTest({ better: 2_000, worse: 3_000 });
    expect(chance).toBeGreaterThanOrEqual(0);
    expect(chance).toBeLessThan(1e-30);
  });

  it("cannot tell fewer cases apart than the number that people are told", () => {
    expect(signTest({ better: differingMin - 1, worse: 0 })).toBeGreaterThan(chanceMax);
    expect(signTest({ better: differingMin, worse: 0 })).toBeLessThanOrEqual(chanceMax);
  });
});
