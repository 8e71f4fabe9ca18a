import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RawFinding } from "#core/model/finding.ts";
import { converge } from "#core/review/converge.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { type ThresholdRules, thresholdsOf } from "#core/review/role-thresholds.ts";
import { aFinding, at, sha, someRules } from "#testing/makers.ts";

const reported = z.object(RawFinding.shape);

const anyFound = fc
  .array(
    fc.record({
      role: fc.constantFrom("rules", "model", "other"),
      path: fc.constantFrom("a", "b"),
      snippet: fc.constantFrom("run(now)", "stop(now)"),
      score: fc.integer({ min: 1, max: 10 }),
      line: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ line, ...over }) => reported.parse(aFinding("-", { ...over, lines: { first: line, last: line } }))),
  );

const anyThresholds = fc
  .tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }))
  .map(([one, other]) => ({ problemScore: Math.min(one, other), blockingScore: Math.max(one, other) }));

/** A first look, at which everything is new. */
function firstRound(found: readonly RawFinding[], rules: ThresholdRules): ReviewRound {
  return {
    known: [],
    found,
    head: sha(1),
    round: 1,
    foundAt: at(1),
    rules: { commentsMax: 3, ...rules },
    changed: { kind: "everything" },
    gone: new Set(),
    coverage: new Map(["rules", "model", "other"].map((role) => [role, { filesRead: 2, unread: [] }])),
    renames: new Map(),
    deterministicRoles: new Set(["rules"]),
    rolesInForce: new Set(["rules", "model", "other"]),
  };
}

describe("thresholds of roles", () => {
  it("decide about each finding by the role that found it", () => {
    fc.assert(
      fc.property(anyFound, anyThresholds, anyThresholds, anyThresholds, (found, all, one, other) => {
        const rules = {
          ...all,
          roles: [
            { name: "rules", ...one },
            { name: "model", ...other },
          ],
        };
        const { post, summarised, dropped } = converge(firstRound(found, rules));
        for (const { role, score, isBlocking } of [...post, ...summarised]) {
          const { problemScore, blockingScore } = thresholdsOf(rules, role);
          expect(score).toBeGreaterThanOrEqual(problemScore);
          expect(isBlocking).toBe(score >= blockingScore);
        }
        for (const { finding, why } of dropped) {
          if (why !== "below_problem_score") continue;
          expect(finding.score).toBeLessThan(thresholdsOf(rules, finding.role).problemScore);
        }
      }),
    );
  });

  it("never hide what blocks for one role behind what is nothing to another", () => {
    fc.assert(
      fc.property(anyFound, anyThresholds, anyThresholds, (found, all, own) => {
        const rules = { ...all, roles: [{ name: "model", ...own }] };
        const { post, summarised } = converge(firstRound(found, rules));
        const isDue = found.some(({ role, score }) => score >= thresholdsOf(rules, role).blockingScore);
        expect([...post, ...summarised].some(({ isBlocking }) => isBlocking)).toBe(isDue);
      }),
    );
  });

  it("change nothing where they say what holds anyway", () => {
    fc.assert(
      fc.property(anyFound, anyThresholds, (found, all) => {
        const roles = [{ name: "model", ...all }, { name: "rules" }];
        expect(converge(firstRound(found, { ...all, roles }))).toEqual(converge(firstRound(found, all)));
      }),
    );
  });

  it("leave all others to those of the rules", () => {
    const { problemScore, blockingScore } = someRules().reviews;
    const rules = { problemScore, blockingScore, roles: [{ name: "model", blockingScore: 9 }] };
    expect(["model", "rules"].map((role) => thresholdsOf(rules, role))).toEqual([
      { problemScore: 5, blockingScore: 9 },
      { problemScore: 5, blockingScore: 7 },
    ]);
  });
});
