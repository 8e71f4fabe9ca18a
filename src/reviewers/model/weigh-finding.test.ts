import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SaidVerdict } from "#reviewers/model/review-answer.ts";
import { weighFinding } from "#reviewers/model/weigh-finding.ts";

function verdict(holds: SaidVerdict["holds"], score: number): SaidVerdict {
  return { id: 1, holds, score, why: "" };
}

const verdicts = fc.array(
  fc.record({
    id: fc.constant(1),
    holds: fc.constantFrom("yes" as const, "no" as const, "unsure" as const),
    score: fc.oneof(fc.integer(), fc.double()),
    why: fc.string(),
  }),
);

function bandOf(score: number): number {
  return [4, 6, 8, 10].findIndex((top) => score <= top);
}

describe("the verifying turn", () => {
  it.each([
    [8, verdict("yes", 5), 5],
    [7, verdict("yes", 8), 8],
    [7, verdict("yes", 10), 8],
    [5, verdict("yes", 9), 6],
    [9, verdict("yes", 1), 1],
    [9, verdict("unsure", 9), 8],
    [7, verdict("unsure", 7), 6],
    [7, verdict("unsure", 2), 2],
    [2, verdict("unsure", 2), 1],
  ])("makes of a score of %d, by %o, one of %d", (score, said, expected) => {
    expect(weighFinding(score, [said])).toMatchObject({ kind: "kept", score: expected });
  });

  it("may take a finding back", () => {
    expect(weighFinding(9, [verdict("no", 1)])).toEqual({ kind: "dropped", why: "" });
  });

  it("counts for the finding where it contradicts itself", () => {
    const said = [verdict("no", 1), verdict("unsure", 9), verdict("yes", 7)];
    expect(weighFinding(8, said)).toMatchObject({ kind: "kept", score: 7 });
    expect(weighFinding(8, said.toReversed())).toEqual(weighFinding(8, said));
  });

  it("leaves a finding alone that it does not mention, and says that it did", () => {
    expect(weighFinding(8, [])).toEqual({ kind: "kept", score: 8, assessment: "", isVerified: false });
  });

  it("never lifts a finding out of its band, and always gives a score", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), verdicts, (score, said) => {
        const weighed = weighFinding(score, said);
        const given = weighed.kind === "dropped" ? 1 : weighed.score;
        expect(weighed.kind === "dropped").toBe(said.length > 0 && said.every(({ holds }) => holds === "no"));
        expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(given);
        expect(bandOf(given)).toBeLessThanOrEqual(bandOf(score));
      }),
    );
  });

  it("reads any number as a score", () => {
    for (const said of [Number.NaN, -5, 0, 3.4, 99, Number.POSITIVE_INFINITY]) {
      expect(weighFinding(said, [])).toHaveProperty(
        "score",
        expect.toSatisfy((score: number) => score >= 1 && score <= 10),
      );
    }
  });
});
