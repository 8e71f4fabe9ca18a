import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCase, countRole, countRun, countTag, noCounts, tagsOf } from "#core/eval/counts.ts";
import type { EvalRun } from "#core/eval/eval-run.ts";
import { mistakesIn } from "#core/eval/mistakes.ts";
import { ratesOf } from "#core/eval/rates.ts";
import { aCase, aCasePass, anEvalFinding, anEvalRun, anExpected, aResult, wrongOne } from "#testing/eval-makers.ts";

const roles = [
  { name: "general", reviewer: "model", blockingScore: 7 },
  { name: "security", reviewer: "model", blockingScore: 9 },
];

describe("the counts of a run", () => {
  it("tell what was found, missed, made up and weighed wrongly", () => {
    const expected = [anExpected(1, { scoreMin: 8 }), anExpected(9, { scoreMin: 5 }), anExpected(20)];
    const hits = [anEvalFinding(1, { score: 6 }), anEvalFinding(9, { score: 9 }), null];
    const wrong = [wrongOne(anEvalFinding(30, { score: 7 })), { finding: anEvalFinding(9), why: "repeat" as const }];
    const run = anEvalRun([aResult(aCase({ expected }), [aCasePass({ hits, wrong, accepted: [anEvalFinding(40)] })])]);
    expect(countRun(run)).toEqual({
      looks: 1,
      expected: 3,
      found: 2,
      underrated: 1,
      accepted: 1,
      wrong: 2,
      repeats: 1,
      wrongBlocking: 2,
      blockers: 1,
      blockersFound: 1,
      blockersBlocked: 0,
    });
    expect(ratesOf(countRun(run))).toEqual({
      precision: 0.5,
      recall: 2 / 3,
      f1: 4 / 7,
      wrongPerLook: 2,
      calibration: 0,
    });
    expect(run.cases.map((result) => mistakesIn(run, result))).toEqual([3]);
  });

  it("take what one role has found for found, and what each makes up for wrong", () => {
    const looks = [
      aCasePass({ hits: [null], wrong: [wrongOne(anEvalFinding(30))] }),
      aCasePass(
        { hits: [anEvalFinding(3, { role: "security", score: 8 })], wrong: [wrongOne(anEvalFinding(31))] },
        { role: "security" },
      ),
    ];
    const evalCase = aCase({ expected: [anExpected(3, { scoreMin: 7 })] });
    const run = anEvalRun([aResult(evalCase, looks)], { roles });
    expect(countRun(run)).toMatchObject({ expected: 1, found: 1, wrong: 2, blockersFound: 1, blockersBlocked: 0 });
    expect(countRole(run, "general")).toMatchObject({ expected: 1, found: 0, wrong: 1 });
    expect(countRole(run, "security")).toMatchObject({ expected: 1, found: 1, wrong: 1 });
  });

  it("leave out what a role has failed at, for all roles together and not for the others", () => {
    const failed = aCasePass({}, { role: "security", outcome: { kind: "failed", why: "No answer." } });
    const result = aResult(aCase(), [aCasePass({ hits: [anEvalFinding(3)] }), failed]);
    const run = anEvalRun([result], { roles });
    expect(countCase(run, result)).toEqual(noCounts);
    expect(mistakesIn(run, result)).toBeNull();
    expect(countRole(run, "general")).toMatchObject({ looks: 1, found: 1 });
  });

  it("by tag are of the findings that have it, and of the mistakes in the cases that have it", () => {
    const expected = [anExpected(1, { tags: ["async", "logic"] }), anExpected(9, { tags: ["logic"] })];
    const look = aCasePass({ hits: [anEvalFinding(1), null], wrong: [wrongOne(anEvalFinding(30))] });
    const run = anEvalRun([aResult(aCase({ tags: ["logic"], expected }), [look])]);
    expect(tagsOf(run)).toEqual(["async", "logic"]);
    expect(countTag(run, "async")).toMatchObject({ looks: 1, expected: 1, found: 1, wrong: 0 });
    expect(countTag(run, "logic")).toMatchObject({ looks: 1, expected: 2, found: 1, wrong: 1 });
    expect(countTag(run, "other")).toEqual(noCounts);
  });
});

describe("a share of nothing", () => {
  it("is no number, neither a good one nor a bad one", () => {
    const nothing = { precision: null, recall: null, f1: null, wrongPerLook: null, calibration: null };
    expect(ratesOf(noCounts)).toEqual(nothing);
    const clean = anEvalRun([aResult(aCase({ expected: [] }), [aCasePass({})])]);
    expect(ratesOf(countRun(clean))).toEqual({ ...nothing, wrongPerLook: 0 });
  });
});

/** For each case: which of its findings are hit, and how many are wrong, in each attempt. */
const attempts = 2;
const lives = fc.array(
  fc.record({
    hits: fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 3 }),
    wrong: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
  }),
  { maxLength: 5 },
);

function runOf(cases: readonly { hits: [boolean, boolean][]; wrong: [number, number] }[]): EvalRun {
  const results = cases.map(({ hits, wrong }, index) => {
    const expected = hits.map((_, at) => anExpected(at * 5 + 1));
    const looks = [0, 1].map((attempt) =>
      aCasePass(
        {
          hits: hits.map((each, at) => (each[attempt] === true ? anEvalFinding(at * 5 + 1) : null)),
          wrong: Array.from({ length: wrong[attempt] ?? 0 }, () => wrongOne(anEvalFinding(99))),
        },
        { attempt: attempt + 1 },
      ),
    );
    return aResult(aCase({ name: `case-${index}`, expected }), looks);
  });
  return anEvalRun(results, { attempts });
}

describe("whatever happened", () => {
  it("the counts are those of counting by hand, and the shares lie between 0 and 1", () => {
    fc.assert(
      fc.property(lives, (cases) => {
        const counts = countRun(runOf(cases));
        const flat = cases.flatMap(({ hits }) => hits.flat());
        const wrong = cases.flatMap((one) => one.wrong).reduce((sum, each) => sum + each, 0);
        expect(counts).toMatchObject({
          looks: cases.length * attempts,
          expected: flat.length,
          found: flat.filter(Boolean).length,
          wrong,
        });
        const { precision, recall, f1 } = ratesOf(counts);
        for (const share of [precision, recall, f1]) {
          expect(share ?? 0).toBeGreaterThanOrEqual(0);
          expect(share ?? 1).toBeLessThanOrEqual(1);
        }
        // The harmonic mean of both, where both are there.
        const [right, all] = [precision ?? 0, recall ?? 0];
        expect(f1 ?? 0).toBeCloseTo(right + all === 0 ? 0 : (2 * right * all) / (right + all), 10);
      }),
    );
  });

  it("the mistakes of the cases add up to those of the run", () => {
    fc.assert(
      fc.property(lives, (cases) => {
        const run = runOf(cases);
        const { expected, found, wrong } = countRun(run);
        const sum = run.cases.reduce((total, result) => total + (mistakesIn(run, result) ?? 0) * attempts, 0);
        expect(sum).toBeCloseTo(expected - found + wrong, 10);
      }),
    );
  });
});
