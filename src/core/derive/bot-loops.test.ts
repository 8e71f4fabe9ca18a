import { describe, expect, it } from "vitest";
import { botRemarksMax } from "#core/derive/bot-loops.ts";
import { derive } from "#core/derive/derive.ts";
import type { Account } from "#core/model/account.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import { aComment, anObservation, at, otherBot, rita, someRules } from "#testing/makers.ts";

/** A bot that the operator trusts, and that has an answer to everything. */
function pullWith(speakers: readonly Account[]): Observation {
  const comments = speakers.map((who, index) =>
    aComment(500 + index, who, `@drover and what of ${index}?`, 10 + index),
  );
  return anObservation({
    observedAt: at(500),
    rules: someRules({ trustedBots: [otherBot.id], conversation: { answers: "everyone" } }),
    comments,
  });
}

function heard(seen: Observation): number {
  return derive(seen).conversation.unclassified.length;
}

describe("trusted bots", () => {
  it("are heard so often in a row, and the pull is told once", () => {
    const seen = pullWith(Array.from({ length: botRemarksMax + 3 }, () => otherBot));
    expect(heard(seen)).toBe(botRemarksMax);
    const told = plan(seen, derive(seen)).filter(({ kind }) => kind === "escalate");
    expect(told).toHaveLength(1);
  });

  it("are heard again once a person has said something", () => {
    const many = Array.from({ length: botRemarksMax }, () => otherBot);
    const seen = pullWith([...many, rita, ...many]);
    expect(heard(seen)).toBe(2 * botRemarksMax + 1);
    expect(derive(seen).conversation.isLooping).toBe(false);
  });
});
