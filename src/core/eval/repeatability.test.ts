import { describe, expect, it } from "vitest";
import { repeatabilityOf } from "#core/eval/repeatability.ts";
import { aCase, aCasePass, anEvalFinding, anEvalRun, anExpected, aResult, wrongOne } from "#testing/eval-makers.ts";

const hit = anEvalFinding(1);
const wrong = [wrongOne(anEvalFinding(30))];

describe("steadiness", () => {
  it("is not known of one attempt", () => {
    expect(repeatabilityOf(anEvalRun([aResult(aCase(), [aCasePass({ hits: [hit] })])]))).toBeNull();
  });

  it("counts what is found always, never and sometimes, and names the cases that vary", () => {
    const expected = [anExpected(1), anExpected(9), anExpected(20)];
    const varied = aResult(aCase({ name: "varied", expected }), [
      aCasePass({ hits: [hit, null, hit] }),
      aCasePass({ hits: [hit, null, null], wrong }, { attempt: 2 }),
    ]);
    const steady = aResult(aCase({ name: "steady" }), [
      aCasePass({ hits: [hit], wrong }),
      aCasePass({ hits: [hit], wrong }, { attempt: 2 }),
    ]);
    expect(repeatabilityOf(anEvalRun([varied, steady], { attempts: 2 }))).toEqual({
      cases: 2,
      always: 2,
      never: 1,
      sometimes: 1,
      wrongMin: 1,
      wrongMax: 2,
      unsteady: ["varied"],
    });
  });

  it("leaves out cases that were not judged each time", () => {
    const half = aResult(aCase(), [aCasePass({ hits: [hit] })]);
    expect(repeatabilityOf(anEvalRun([half], { attempts: 2 }))).toMatchObject({ cases: 0, always: 0, unsteady: [] });
  });
});
