import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import type { Action } from "#core/decision/action.ts";
import { derive } from "#core/derive/derive.ts";
import { Untrusted } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import { findingRemark } from "#core/words/finding-words.ts";
import { anyObservation } from "#testing/any-observation.ts";

function planFor(seen: Observation): readonly Action[] {
  return plan(seen, derive(seen));
}

/** A question is told that the pull is closed, and people hear of work that was dropped with it. */
const whenClosed = [
  "acknowledge",
  "cancel_review",
  "stop_session",
  "dequeue_merge",
  "update_managed_comment",
  "escalate",
];

describe("plan", () => {
  it("names each effect once, and the same when it looks again", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const keys = planFor(seen).map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(planFor(structuredClone(seen)).map(({ key }) => key)).toEqual(keys);
      }),
      { numRuns: 300 },
    );
  });

  it("does what people wait for in the order dispute, question, review", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const priorities = planFor(seen).flatMap((action) => ("priority" in action ? [action.priority] : []));
        expect(priorities).toEqual(priorities.toSorted((left, right) => left - right));
      }),
      { numRuns: 300 },
    );
  });

  it("writes no text that is a command or speaks to itself", () => {
    let texts = 0;
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const planned = planFor(seen).flatMap((action) =>
          "text" in action && action.text !== null ? [action.text] : [],
        );
        const remarks = seen.records.findings.map((finding) => findingRemark(seen, finding));
        for (const words of [...planned, ...remarks]) {
          texts++;
          expect(readBotMessage(Untrusted.parse(words), "@drover")).toMatchObject({ command: null, prose: null });
        }
      }),
      { numRuns: 500 },
    );
    expect(texts).toBeGreaterThan(1000);
  });

  it("leaves a closed pull alone but for what still runs", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        if (seen.pull.state === "open") return;
        for (const { kind } of planFor(seen)) expect(whenClosed).toContain(kind);
      }),
    );
  });
});
