import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import { instant, secondMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { planNextCheck } from "#core/plan/next-check.ts";
import { aHead, anObservation, aPull, aReaction, at, rita, sha, someRecords, someRules } from "#testing/makers.ts";

const pollMs = 30 * secondMs;
const observedAt = at(60);
const rules = someRules({ approval: { pollMs } });
const heads = [aHead({ sha: sha(1), since: at(0) }), aHead({ sha: sha(2), since: at(30) })];
const seen = anObservation({
  observedAt,
  rules,
  pull: aPull({ head: { ...aPull().head, sha: sha(2) } }),
  records: someRecords({ heads }),
});

function looksSoon(over: Partial<Observation>): boolean {
  const observation = { ...seen, ...over };
  const looks = planNextCheck(observation, derive(observation));
  return looks.some((action) => action.kind === "look_again" && action.at <= instant(observedAt + pollMs));
}

describe("the next look", () => {
  it("is soon where nobody tells of reactions, and left to whoever does", () => {
    expect(looksSoon({ isPolled: false })).toBe(true);
    expect(looksSoon({ isPolled: true })).toBe(false);
    expect(looksSoon({ isPolled: false, capabilities: { ...seen.capabilities, hasReactionEvents: true } })).toBe(false);
  });

  it("is soon while a thumb stands there for an older head: given anew, it would look the same to a poll", () => {
    expect(looksSoon({ isPolled: true, reactions: [aReaction(rita, "+1", 10)] })).toBe(true);
    expect(looksSoon({ isPolled: true, reactions: [aReaction(rita, "eyes", 10)] })).toBe(false);
    expect(looksSoon({ isPolled: true, reactions: [aReaction(rita, "+1", 40)] })).toBe(false);
  });

  it("is soon while the forge has not said whether the pull can be merged", () => {
    expect(looksSoon({ isPolled: true, pull: { ...seen.pull, mergeability: { kind: "unknown" } } })).toBe(true);
  });
});
