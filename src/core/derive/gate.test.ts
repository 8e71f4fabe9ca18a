import { describe, expect, it } from "vitest";
import type { Gate } from "#core/decision/situation.ts";
import { derive } from "#core/derive/derive.ts";
import { CommentId, FindingId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { RunState } from "#core/model/records.ts";
import { gateWords } from "#core/words/gate-words.ts";
import {
  aComment,
  ada,
  aFinding,
  aHead,
  anObservation,
  aPull,
  aRun,
  at,
  mia,
  someRecords,
  someRules,
} from "#testing/makers.ts";

function gateOf(state: RunState | null, over: Partial<Observation> = {}): Gate {
  const runs = state === null ? [] : [aRun({ state })];
  return derive(anObservation({ records: someRecords({ heads: [aHead()], runs }), ...over })).gate;
}

const whole: RunState = aRun().state;
const partly: RunState = {
  kind: "completed",
  at: at(5),
  coverage: { filesRead: 2, unread: [{ path: "a.bin", why: "binary" }] },
  findings: [],
  summary: "",
};
const excluded: RunState = { ...partly, coverage: { filesRead: 2, unread: [{ path: "gen.ts", why: "excluded" }] } };
const failed = (attempts: number, minutes: number): RunState => ({
  kind: "failed",
  attempts,
  why: "no answer",
  retryAt: at(minutes),
});
const byAuthor = { comments: [aComment(1, ada, "@drover disable-reviews", 2)] };
const byMaintainer = { comments: [aComment(1, mia, "@drover disable-reviews", 2)] };
const optIn = { rules: someRules({ reviews: { automatic: "disabled" } }) };
const lenient = { rules: someRules({ reviews: { partialGate: "neutral" } }) };

describe("the gate", () => {
  it("stays green on a head that was read whole, although a look that somebody asked for read less of it", () => {
    const trigger = { kind: "manual", comment: CommentId.parse("9"), by: mia.id } as const;
    const asked = aRun({ state: partly, round: 2, startedAt: at(6), trigger });
    const records = someRecords({ heads: [aHead()], runs: [aRun(), asked] });
    expect(derive(anObservation({ records })).gate.state).toBe("success");
  });

  it.each<[string, RunState | null, Partial<Observation>, string]>([
    ["a head that was read whole", whole, {}, "success"],
    ["a head of which only excluded files were left out", excluded, {}, "success"],
    ["a head that was read in part", partly, {}, "pending partial"],
    ["a head that was read in part, where that is enough", partly, lenient, "neutral partial"],
    ["a head that is to be reviewed", null, {}, "pending reviewing"],
    ["a head that is being reviewed", { kind: "running" }, {}, "pending reviewing"],
    ["a review that was interrupted", { kind: "interrupted" }, {}, "pending reviewing"],
    ["a review that is to be tried again later", failed(1, 90), {}, "pending retrying"],
    ["a review that was given up", failed(3, 5), {}, "failure given_up"],
    ["a draft", null, { pull: aPull({ isDraft: true }) }, "pending draft"],
    ["a head that the author does not want reviewed", null, byAuthor, "pending suppressed_by_author"],
    ["a head that a maintainer does not want reviewed", null, byMaintainer, "neutral suppressed"],
    ["a head where reviews are opt-in", null, optIn, "neutral suppressed"],
    ["a cancelled review", null, { comments: [aComment(1, ada, "@drover cancel", 2)] }, "pending cancelled"],
    ["a head that was read before reviews were switched off", whole, byAuthor, "success"],
  ])("of %s is as it should be", (_, state, over, wanted) => {
    const gate = gateOf(state, over);
    expect("why" in gate ? `${gate.state} ${gate.why}` : gate.state).toBe(wanted);
  });

  it.each([byAuthor, byMaintainer, optIn, lenient, {}])(
    "is red over an open blocker, whatever else is true (%#)",
    (over) => {
      const findings = [aFinding("f1")];
      const runs = [aRun({ state: { ...partly, findings: [FindingId.parse("f1")] } })];
      const seen = anObservation({ records: someRecords({ heads: [aHead()], runs, findings }), ...over });
      expect(derive(seen).gate).toMatchObject({ state: "failure", why: "blockers", count: 1 });
    },
  );

  it("says it in a line that fits beside a check", () => {
    for (const [state, over] of [
      [whole, {}],
      [partly, {}],
      [null, byAuthor],
      [null, byMaintainer],
      [failed(3, 5), {}],
    ] as const) {
      const words = gateWords(gateOf(state, over));
      expect(words.length).toBeLessThanOrEqual(140);
      expect(words).not.toMatch(/undefined|\n/);
    }
  });
});
