import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hourMs, instant, minuteMs } from "#core/model/instant.ts";
import { cadence, nextPoll } from "#core/plan/next-check.ts";

const now = instant(1_000_000_000);
const quiet = { everyMs: minuteMs, poked: 0, budget: null, now, msMax: cadence.msMax };

describe("the cadence of polls", () => {
  it("is quickest where something has happened", () => {
    expect(nextPoll({ ...quiet, everyMs: cadence.msMax, poked: 1 })).toEqual({
      at: now + cadence.msMin,
      everyMs: cadence.msMin,
    });
  });

  it("slows down where nothing happens, up to a limit", () => {
    let everyMs: number = cadence.msMin;
    const spans: number[] = [];
    for (let round = 0; round < 20; round++) {
      ({ everyMs } = nextPoll({ ...quiet, everyMs }));
      spans.push(everyMs);
    }
    expect(spans).toEqual(spans.toSorted((left, right) => left - right));
    expect(spans[0]).toBe(45_000);
    expect(spans.at(-1)).toBe(cadence.msMax);
  });

  it("does not slow down beyond what somebody waits for", () => {
    expect(nextPoll({ ...quiet, everyMs: cadence.msMin, msMax: cadence.msMin })).toEqual({
      at: now + cadence.msMin,
      everyMs: cadence.msMin,
    });
  });

  it("slows down while the budget is scarce, without forgetting its pace", () => {
    const budget = { limit: 5000, left: 1250, resetAt: instant(now + hourMs) };
    expect(nextPoll({ ...quiet, poked: 1, budget })).toEqual({ at: now + 2 * cadence.msMin, everyMs: cadence.msMin });
  });

  it("does not slow down at the end of the hour, when what is left lasts for the rest of it", () => {
    const budget = { limit: 5000, left: 1250, resetAt: instant(now + 10 * minuteMs) };
    expect(nextPoll({ ...quiet, poked: 1, budget }).at).toBe(now + cadence.msMin);
  });

  it("leaves the last of the budget to others", () => {
    const budget = { limit: 5000, left: 400, resetAt: instant(now + hourMs) };
    expect(nextPoll({ ...quiet, poked: 1, budget }).at).toBe(budget.resetAt);
  });

  it("does not mind a budget that is over, full, or none at all", () => {
    for (const budget of [
      { limit: 5000, left: 0, resetAt: now },
      { limit: 5000, left: 5000, resetAt: instant(now + hourMs) },
      { limit: 0, left: 0, resetAt: instant(now + hourMs) },
    ]) {
      expect(nextPoll({ ...quiet, poked: 1, budget }).at).toBe(now + cadence.msMin);
    }
  });

  it("never looks sooner than the least pause, nor stops looking, whatever it is told", () => {
    const someBudget = fc.record({
      limit: fc.integer({ min: 0, max: 10_000 }),
      left: fc.integer({ min: 0, max: 10_000 }),
      resetAt: fc.integer({ min: now - hourMs, max: now + hourMs }).map(instant),
    });
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.option(someBudget), (everyMs, poked, budget) => {
        const { at } = nextPoll({ ...quiet, everyMs, poked, budget });
        expect(at).toBeGreaterThanOrEqual(now + cadence.msMin);
        expect(at).toBeLessThanOrEqual(now + hourMs);
      }),
    );
  });
});
