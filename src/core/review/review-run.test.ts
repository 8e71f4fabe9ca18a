import { describe, expect, it } from "vitest";
import type { RunState } from "#core/model/records.ts";
import { recordRunStarted } from "#core/review/review-run.ts";
import { aRun, at, someRecords, someRules } from "#testing/makers.ts";

const rules = someRules({
  reviews: {
    roles: [
      { name: "rules", reviewer: "rules" },
      { name: "general", reviewer: "model" },
    ],
  },
});
const failed: RunState = { kind: "failed", attempts: 1, why: "no answer", retryAt: at(2) };

describe("a run that is begun anew", () => {
  it.each([
    ["after one that failed stands beside it, since that was paid for", "general", failed, 2],
    ["after one that was cancelled half-way stands beside it", "general", { kind: "cancelled", by: "command" }, 2],
    ["after one that was interrupted takes its place", "general", { kind: "interrupted" }, 1],
    ["takes the place of one that failed where it costs nothing", "rules", failed, 1],
  ] as const)("%s", (_, role, state, count) => {
    const first = aRun({ role, state });
    const next = aRun({ role, state: { kind: "running" }, startedAt: at(9) });
    const { runs } = recordRunStarted(someRecords({ runs: [first] }), next, rules);
    expect(runs).toHaveLength(count);
    expect(runs.at(-1)).toEqual(next);
  });
});
