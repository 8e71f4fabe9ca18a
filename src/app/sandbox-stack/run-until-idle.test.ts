import { describe, expect, it } from "vitest";
import { createFastForwardClock } from "#app/sandbox-stack/fast-forward-clock.ts";
import { type Resting, runUntilIdle } from "#app/sandbox-stack/run-until-idle.ts";
import { derive } from "#core/derive/derive.ts";
import { after, type Instant, minuteMs } from "#core/model/instant.ts";
import type { TickReport } from "#reconcile/tick.ts";
import { anObservation, at } from "#testing/makers.ts";

/** A harness in which the queue is due at these times, one after the other, and each of them is a look that does nothing. */
function quietHarness(times: readonly Instant[]): Resting & { readonly reports: TickReport[] } {
  const clock = createFastForwardClock(at(0));
  const waiting = [...times];
  const reports: TickReport[] = [];
  return {
    clock,
    reports,
    reconciler: {
      processNext: async () => {
        const [next] = waiting;
        if (next === undefined || next > clock.now()) return "idle";
        waiting.shift();
        const seen = { ...anObservation(), observedAt: clock.now() };
        reports.push({ kind: "looked", seen, situation: derive(seen), did: [] });
        return "worked";
      },
    },
    dependencies: { queue: { nextDue: async (queues) => (queues.includes("tick") ? waiting[0] : undefined) } },
    sandbox: { history: [] },
  };
}

function rest(harness: ReturnType<typeof quietHarness>, afterTurn: "go_on" | "enough" = "go_on") {
  return runUntilIdle(harness, { lastReport: () => harness.reports.at(-1), afterTurn: async () => afterTurn });
}

describe("coming to rest", () => {
  it("leaps to what is due, and stops after a look that had nothing to do", async () => {
    const soon = after(at(0), minuteMs);
    const harness = quietHarness([soon, after(soon, minuteMs)]);
    expect(await rest(harness)).toEqual({ kind: "rest" });
    expect(harness.clock.now()).toBe(soon);
    expect(harness.reports).toHaveLength(1);
  });

  it("stops when somebody has seen enough", async () => {
    const harness = quietHarness([at(0), at(0)]);
    expect(await rest(harness, "enough")).toEqual({ kind: "rest" });
    expect(harness.reports).toHaveLength(1);
  });

  it("says so when nobody will ever look again", async () => {
    expect(await rest(quietHarness([]))).toMatchObject({
      kind: "restless",
      why: expect.stringContaining("no check is scheduled"),
    });
  });

  it("gives up on work without an end", async () => {
    const busy = { ...quietHarness([]), reconciler: { processNext: async () => "worked" as const } };
    expect(await rest(busy)).toMatchObject({
      kind: "restless",
      why: expect.stringContaining("did not end"),
    });
  });
});
