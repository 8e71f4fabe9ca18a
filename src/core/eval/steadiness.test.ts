import { describe, expect, it } from "vitest";
import { aCase, aFinding, aLook, anExpected, aResult, aRun, wrongOne } from "#core/eval/makers.ts";
import { steadinessOf } from "#core/eval/steadiness.ts";

const hit = aFinding(1);
const wrong = [wrongOne(aFinding(30))];

describe("steadiness", () => {
  it("is not known of one attempt", () => {
    expect(steadinessOf(aRun([aResult(aCase(), [aLook({ hits: [hit] })])]))).toBeNull();
  });

  it("counts what is found always, never and sometimes, and names the cases that vary", () => {
    const expected = [anExpected(1), anExpected(9), anExpected(20)];
    const varied = aResult(aCase({ name: "varied", expected }), [
      aLook({ hits: [hit, null, hit] }),
      aLook({ hits: [hit, null, null], wrong }, { attempt: 2 }),
    ]);
    const steady = aResult(aCase({ name: "steady" }), [
      aLook({ hits: [hit], wrong }),
      aLook({ hits: [hit], wrong }, { attempt: 2 }),
    ]);
    expect(steadinessOf(aRun([varied, steady], { attempts: 2 }))).toEqual({
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
    const half = aResult(aCase(), [aLook({ hits: [hit] })]);
    expect(steadinessOf(aRun([half], { attempts: 2 }))).toMatchObject({ cases: 0, always: 0, unsteady: [] });
  });
});
