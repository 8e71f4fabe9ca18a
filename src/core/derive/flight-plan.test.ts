import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import type { Observation } from "#core/model/observation.ts";
import { conditionWords } from "#core/words/condition-words.ts";
import { flightPlanText } from "#core/words/flight-plan-words.ts";
import { anyObservation } from "#testing/any-observation.ts";
import {
  aCheck,
  aComment,
  aHead,
  anObservation,
  aPull,
  aReaction,
  aRun,
  mia,
  rita,
  someRecords,
  someRules,
} from "#testing/makers.ts";

const order = [
  "open",
  "whole_view",
  "ready_for_review",
  "gate",
  "approval",
  "checks",
  "mergeable",
  "no_hold",
  "merge_wanted",
];

function met(over: Partial<Observation> = {}): Observation {
  return anObservation({
    rules: someRules({ merge: { when: "when_approved" } }),
    checks: [aCheck("passed")],
    reactions: [aReaction(rita, "+1", 10)],
    records: someRecords({ heads: [aHead()], runs: [aRun()] }),
    ...over,
  });
}

describe("the flight plan", () => {
  it("has every condition, in the order in which they are usually settled", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        expect(derive(seen).flightPlan.conditions.map(({ kind }) => kind)).toEqual(order);
      }),
      { numRuns: 100 },
    );
  });

  it("gives the turn to whoever can move the first open condition, and to Drover when there is none", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const { conditions, turn } = derive(seen).flightPlan;
        expect(turn).toBe(conditions.find(({ isMet }) => !isMet)?.turn ?? "drover");
      }),
      { numRuns: 200 },
    );
  });

  it("is all that a merge needs: ready if and only if every condition is met", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const { flightPlan, merge } = derive(seen);
        const isReady = flightPlan.conditions.every(({ isMet }) => isMet);
        expect(merge.kind === "ready" || merge.kind === "queued").toBe(isReady);
      }),
      { numRuns: 300 },
    );
    expect(derive(met()).merge.kind).toBe("ready");
  });

  it.each<[string, Partial<Observation>, string, string]>([
    ["a closed pull", { pull: aPull({ state: "closed" }) }, "open", "nobody"],
    ["a cut view", { limitsReached: ["threadsMax"] }, "whole_view", "maintainers"],
    ["a draft", { pull: aPull({ isDraft: true }) }, "ready_for_review", "author"],
    ["a head that is being reviewed", { records: someRecords({ heads: [aHead()] }) }, "gate", "drover"],
    ["no approval", { reactions: [] }, "approval", "reviewers"],
    ["a red check", { checks: [aCheck("failed")] }, "checks", "author"],
    ["a running check", { checks: [aCheck("pending")] }, "checks", "ci"],
    ["no check yet", { checks: [] }, "checks", "ci"],
    ["a conflict", { pull: aPull({ mergeability: { kind: "conflicting" } }) }, "mergeable", "author"],
    ["a forge that has not said", { pull: aPull({ mergeability: { kind: "unknown" } }) }, "mergeable", "forge"],
    ["a hold", { comments: [aComment(1, mia, "@drover hold", 20)] }, "no_hold", "maintainers"],
    ["merging on command", { rules: someRules({ merge: { when: "on_command" } }) }, "merge_wanted", "maintainers"],
  ])("names what %s is waiting for", (_, over, kind, turn) => {
    const { flightPlan } = derive(met(over));
    const open = flightPlan.conditions.filter(({ isMet }) => !isMet);
    expect(open.map((condition) => condition.kind)).toContain(kind);
    expect(flightPlan.turn).toBe(turn);
  });
});

describe("the words of the flight plan", () => {
  it("say every condition with its state", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        for (const condition of derive(seen).flightPlan.conditions) {
          const { name, detail } = conditionWords(condition);
          expect(name).not.toBe("");
          expect(detail).not.toMatch(/undefined|null|\[object|\n/);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["merged", "Merged at `0001aaaaaa`."],
    ["closed", "Closed at `0001aaaaaa`."],
  ] as const)("say of a pull that was %s that it was, and nothing of what it would need", (state, words) => {
    const seen = met({ pull: aPull({ state }) });
    expect(flightPlanText(seen, derive(seen))).toBe(words);
  });

  it("read well", () => {
    const seen = met({ reactions: [], checks: [aCheck("failed")], comments: [aComment(1, mia, "@drover hold", 20)] });
    expect(flightPlanText(seen, derive(seen))).toMatchInlineSnapshot(`
      "Head \`0001aaaaaa\`: it is the turn of **the reviewers**.

      | | condition | state |
      | --- | --- | --- |
      | ✅ | Ready | not a draft |
      | ✅ | Review | Reviewed: nothing blocks |
      | ⏳ | Approval | 1 approval of this head needed |
      | ❌ | Checks | failed: \`build\` |
      | ✅ | Mergeable | no conflict |
      | ✋ | No hold | held by \`mia\` |
      | ✅ | Merge wanted | as soon as all is met |"
    `);
  });
});
