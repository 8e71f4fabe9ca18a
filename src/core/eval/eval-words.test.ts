import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noCounts } from "#core/eval/counts.ts";
import { calibrationWords, percent, preciseDollars, precisionWords, spentWords } from "#core/eval/eval-words.ts";
import { nothingSpent } from "#testing/eval-makers.ts";

describe("a share in percent", () => {
  it("is 100 only for all and 0 only for none", () => {
    fc.assert(
      fc.property(fc.nat({ max: 5_000 }), fc.integer({ min: 1, max: 5_000 }), (part, rest) => {
        const words = percent(part / (part + rest));
        expect(words === "0 %").toBe(part === 0);
        expect(words).not.toBe("100 %");
      }),
    );
    expect([percent(1), percent(0), percent(0.834), percent(null)]).toEqual(["100 %", "0 %", "83 %", "–"]);
  });
});

describe("money", () => {
  it("that was spent is never shown as none", () => {
    expect([preciseDollars(0), preciseDollars(1), preciseDollars(12_345), preciseDollars(2_500_000)]).toEqual([
      "$0.0000",
      "$0.0001",
      "$0.0123",
      "$2.5000",
    ]);
  });

  it("of unknown price is said to be so", () => {
    expect(spentWords(nothingSpent)).toBe("");
    expect(spentWords({ ...nothingSpent, tokensIn: 7, unpricedCalls: 2 })).toBe(
      "$0.0000 and 2 calls of unknown price, 7 tokens in (0 from the cache), 0 out",
    );
  });
});

describe("what is said of wrong findings and of weights", () => {
  it("names repeats and what would have blocked, where there are any", () => {
    const counts = { ...noCounts, looks: 4, found: 1, expected: 1, wrong: 3, repeats: 1, wrongBlocking: 2 };
    expect(precisionWords(counts)).toBe(
      "3 wrong findings (0.75 a case, 1 said again, 2 blocking): precision 25 %, F1 0.40.",
    );
    expect(calibrationWords(noCounts)).toEqual([]);
    expect(calibrationWords({ ...noCounts, blockers: 3, blockersFound: 2, blockersBlocked: 1, underrated: 1 })).toEqual(
      [
        "Of 3 findings that must block, 2 found and 1 found as blocking.",
        "1 found with a lower score than the case asks for.",
      ],
    );
  });
});
