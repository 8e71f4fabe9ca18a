import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rules } from "#core/model/rules.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";

describe("what holds for a role", () => {
  it("is its own word, and else that for all of them", () => {
    const { reviews } = Rules.parse({
      reviews: {
        problemScore: 4,
        pathInstructions: [{ paths: ["docs/"], instructions: "Mind the spelling." }],
        roles: [
          { name: "deep", reviewer: "model", model: "big", instructions: "Races.", paths: ["src/"], blockingScore: 9 },
          { name: "plain", reviewer: "model", problemScore: 6 },
        ],
      },
    });
    expect(briefOf(reviews, "deep")).toMatchObject({
      model: "big",
      instructions: "Races.",
      paths: ["src/"],
      pathInstructions: reviews.pathInstructions,
      problemScore: 4,
    });
    expect(briefOf(reviews, "plain")).toMatchObject({ model: null, instructions: null, paths: [], problemScore: 6 });
    expect(thresholdsOf(reviews, "deep")).toEqual({ problemScore: 4, blockingScore: 9 });
    expect(thresholdsOf(reviews, "nobody")).toEqual({ problemScore: 4, blockingScore: 7 });
  });

  it("never drops what blocks, in any rules that the schema takes", () => {
    const score = fc.integer({ min: 1, max: 10 });
    const said = fc.record(
      { problemScore: score, blockingScore: score, rolesProblem: score, rolesBlocking: score },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(said, ({ problemScore, blockingScore, rolesProblem, rolesBlocking }) => {
        const own = { problemScore: rolesProblem, blockingScore: rolesBlocking };
        const roles = [{ name: "one", reviewer: "rules", ...own }];
        const read = Rules.safeParse({ reviews: { problemScore, blockingScore, roles } });
        const all = { problemScore: problemScore ?? 5, blockingScore: blockingScore ?? 7 };
        const one = {
          problemScore: rolesProblem ?? all.problemScore,
          blockingScore: rolesBlocking ?? all.blockingScore,
        };
        const isRight = all.problemScore <= all.blockingScore && one.problemScore <= one.blockingScore;
        expect(read.success ? thresholdsOf(read.data.reviews, "one") : null).toEqual(isRight ? one : null);
      }),
    );
  });
});
