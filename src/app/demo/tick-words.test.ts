import { describe, expect, it } from "vitest";
import { isWorthTelling, type Looked, tickWords } from "#app/demo/tick-words.ts";
import { derive } from "#core/derive/derive.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import {
  aCheck,
  aComment,
  anObservation,
  aPull,
  aReaction,
  aReview,
  aRun,
  at,
  permissions,
  rita,
  sha,
  someRecords,
} from "#testing/makers.ts";

function look(seen: Observation, outcome: Looked["did"][number]["outcome"] = { kind: "done", result: null }): Looked {
  const situation = derive(seen);
  return { kind: "looked", seen, situation, did: plan(seen, situation).map((action) => ({ action, outcome })) };
}

const first = anObservation();

describe("a look in words", () => {
  it("begins with the pull itself, and with what is not as always", () => {
    const told = tickWords(undefined, look(first));
    expect(told.saw).toEqual([expect.stringMatching(/^a pull by \w+, ".*", with head [0-9a-f]{10}$/)]);
    expect(told.decided.map(({ about }) => about)).toEqual(["reviews", "head", "gate", "approval", "merge", "turn"]);
    expect(told.did).toContain(`start the general review of ${first.pull.head.sha.slice(0, 10)} (new head)`);
    expect(told.did.join()).not.toContain("look again");
  });

  it("is not worth telling when it saw and did what the one before did", () => {
    const quiet: Looked = { ...look(first), did: [] };
    expect(isWorthTelling(tickWords(quiet, quiet))).toBe(false);
    expect(isWorthTelling(tickWords(undefined, quiet))).toBe(true);
  });

  it("says what could not be done, and why", () => {
    const later = tickWords(undefined, look(first, { kind: "later", at: at(1), why: "rate_limited" }));
    expect(later.did[0]).toMatch(/: not yet \(rate_limited\)$/);
    const refused = tickWords(undefined, look(first, { kind: "refused", error: "forbidden", at: at(1) }));
    expect(refused.did[0]).toMatch(/: the forge refused \(forbidden\)$/);
  });
});

function saw(over: Partial<Observation>, before: Observation = first): readonly string[] {
  return tickWords(look(before), look({ ...before, ...over })).saw;
}

describe("what a look saw", () => {
  it("has no words when nothing is new", () => {
    expect(saw({})).toEqual([]);
  });

  it("names a new head, the forge's word on merging, and the end", () => {
    const head = { ...first.pull.head, sha: sha(2) };
    expect(saw({ pull: aPull({ head }) })).toEqual([
      `a new head ${sha(2).slice(0, 10)}, it was ${first.pull.head.sha.slice(0, 10)}`,
    ]);
    const unsure = anObservation({ pull: aPull({ mergeability: { kind: "unknown" } }) });
    expect(saw({ pull: aPull({ mergeability: { kind: "conflicting" } }) }, unsure)).toEqual([
      "the forge has found out: the pull is conflicting",
    ]);
    expect(saw({ pull: aPull({ state: "merged" }) })).toEqual(["the pull is merged"]);
  });

  it("names what others said, and not what Drover said", () => {
    const comments = [aComment(1, rita, "please wait", 1), aComment(2, first.bot, "I do", 1)];
    expect(saw({ comments, reviews: [aReview(3, rita, "changes_requested", 1)] })).toEqual([
      'rita said "please wait"',
      "rita reviewed: changes requested",
    ]);
  });

  it("names signs that came and signs that went, also where one replaces the other", () => {
    const before = anObservation({
      reactions: [aReaction(rita, "+1", 1)],
      permissions: permissions({ rita: "write" }),
    });
    expect(saw({ reactions: [aReaction(rita, "+1", 2)] }, before)).toEqual([
      "rita took back a thumb up",
      "rita gave a thumb up",
    ]);
  });

  it("names checks of the head, and what became of its own reviews", () => {
    const check = aCheck("passed", { head: first.pull.head.sha });
    const run = aRun({ head: first.pull.head.sha });
    const [checked, reviewed] = saw({ checks: [check], records: someRecords({ runs: [run] }) });
    expect(checked).toMatch(/^the check ".*" is green on [0-9a-f]{10}$/);
    expect(reviewed).toMatch(/^its general review of [0-9a-f]{10} is done: \d+ files? read, \d+ findings?$/);
  });
});
