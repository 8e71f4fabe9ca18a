import { describe, expect, it } from "vitest";
import { passTime, say } from "#app/demo/paper-pull.ts";
import { takeEffect } from "#app/demo/take-effect.ts";
import { derive } from "#core/derive/derive.ts";
import type { Action } from "#core/model/action.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import { aCheck, aHead, anObservation, aReaction, aRun, rita, someRecords, someRules } from "#testing/makers.ts";

/** A pull with everything met: reviewed, green, approved, merging switched on. */
function readyPull(): Observation {
  return anObservation({
    rules: someRules({ merge: { when: "when_approved" } }),
    reactions: [aReaction(rita, "+1", 10)],
    checks: [aCheck("passed")],
    records: someRecords({ heads: [aHead()], runs: [aRun()] }),
  });
}

function planFor(seen: Observation): readonly Action[] {
  return plan(seen, derive(seen));
}

function kindsOf(actions: readonly Action[]): readonly string[] {
  return actions.map(({ kind }) => kind);
}

describe("the life of a webhook", () => {
  const held = passTime(say(passTime(readyPull(), minuteMs), rita, "@drover hold"), minuteMs);

  it("would merge, were it not for the hold", () => {
    expect(kindsOf(planFor(readyPull()))).toContain("merge");
    expect(kindsOf(planFor(held))).not.toContain("merge");
  });

  it("derives who said it, that they may, and what follows", () => {
    const situation = derive(held);
    expect(situation.commands).toMatchObject([
      { by: { login: "rita" }, command: { word: "hold" }, standing: { kind: "fresh", ruling: { kind: "obey" } } },
    ]);
    expect(situation.hold).toMatchObject({ kind: "held", by: "rita" });
    expect(situation.merge).toEqual({ kind: "waiting", missing: ["no_hold"] });
    expect(situation.flightPlan.turn).toBe("maintainers");
  });

  it("plans one answer, a managed comment that says so, and the next look", () => {
    const actions = planFor(held);
    expect(actions.find(({ kind }) => kind === "acknowledge")).toMatchObject({
      record: { word: "hold", outcome: "obeyed" },
      reaction: "+1",
    });
    expect(actions.find(({ kind }) => kind === "update_managed_comment")).toMatchObject({
      text: expect.stringContaining("held by `rita`"),
    });
    expect(kindsOf(actions).at(-1)).toBe("look_again");
  });

  it("loses nothing when the worker dies after any of the actions", () => {
    const actions = planFor(held).filter(({ kind }) => kind !== "look_again");
    for (let done = 0; done <= actions.length; done++) {
      const after = actions.slice(0, done).reduce(takeEffect, held);
      const left = planFor(after).filter(({ kind }) => kind !== "look_again");
      expect(left.map(({ key }) => key)).toEqual(actions.slice(done).map(({ key }) => key));
    }
  });

  it("changes nothing when it is delivered a second time", () => {
    const acted = planFor(held).reduce(takeEffect, held);
    expect(kindsOf(planFor(acted))).toEqual(["look_again"]);
  });
});
