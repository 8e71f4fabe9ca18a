import { expect, it } from "vitest";
import { forgeCostWords } from "#core/words/cost-words.ts";

it("one line says what a forge was asked, what that cost and what is left", () => {
  expect(forgeCostWords({ requests: 14, points: 11, budget: { left: 4_989, limit: 5_000 } })).toBe(
    "the forge: 14 requests, 11 points, 4989 of 5000 left",
  );
  expect(forgeCostWords({ requests: 1, points: 1, budget: null })).toBe("the forge: 1 request, 1 point");
});
