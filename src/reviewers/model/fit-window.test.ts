import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitWindow } from "#reviewers/model/fit-window.ts";
import { defaultReviewLimits, type ReviewLimits } from "#reviewers/model/review-settings.ts";

function wholeOf(limits: ReviewLimits): number {
  const { callTokensMax, rulesTokensMax, aboutTokensMax, lookedTokensMax, answerTokensMax } = limits;
  return callTokensMax + rulesTokensMax + aboutTokensMax + lookedTokensMax + 3 * answerTokensMax;
}

describe("the limits of a conversation", () => {
  it("are those of always where nobody says how large the window is, or where it is large", () => {
    expect(fitWindow(defaultReviewLimits, {})).toEqual(defaultReviewLimits);
    expect(fitWindow(defaultReviewLimits, { contextTokens: 1_000_000 })).toEqual(defaultReviewLimits);
  });

  it("leave a quarter of any window free, and show something of the diff in the smallest", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8_192, max: 400_000 }), (contextTokens) => {
        const limits = fitWindow(defaultReviewLimits, { contextTokens });
        expect(wholeOf(limits)).toBeLessThanOrEqual(0.75 * contextTokens);
        expect(limits.callTokensMax).toBeGreaterThan(1_000);
        expect(limits.lookedTokensMax).toBeGreaterThan(200);
      }),
    );
  });
});
