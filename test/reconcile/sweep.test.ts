import { describe, expect, it } from "vitest";
import { after, dayMs, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import { Retention } from "#core/model/retention.ts";
import { type RetentionSweepOptions, runRetentionSweep } from "#reconcile/retention-sweep.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";

interface Asked {
  readonly before: Instant;
  readonly countMax: number;
}

/** A sweeper before a heap of old pulls, and what it asked for. */
function sweeper(heap: number) {
  const clock: VirtualClock = createVirtualClock(at(0));
  const asked: { readonly pulls: Asked[]; readonly spends: Asked[] } = { pulls: [], spends: [] };
  const told: unknown[] = [];
  const state = { heap, retention: Retention.parse({}), isBroken: false };
  const options: RetentionSweepOptions = {
    clock,
    log: { info: (facts) => told.push(facts), warn: (facts) => told.push(facts), error: () => undefined },
    retention: () => state.retention,
    store: {
      forgetEnded: async (request) => {
        if (state.isBroken) throw new Error("the database is away");
        asked.pulls.push(request);
        const count = Math.min(request.countMax, state.heap);
        state.heap -= count;
        return count;
      },
      forgetSpends: async (request) => {
        asked.spends.push(request);
        return 0;
      },
    },
  };
  const stopping = new AbortController();
  const running = runRetentionSweep(options, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  return { clock, asked, told, state, stop };
}

describe("the sweeper", () => {
  it("begins soon after the start, takes a heap off in small parts, and comes again", async () => {
    const { clock, asked, told, state, stop } = sweeper(120);
    await clock.advance(minuteMs - 1);
    expect(asked.pulls).toEqual([]);
    await clock.advance(minuteMs);
    expect(asked.pulls.map(({ before }) => before)).toEqual(Array(3).fill(after(at(0), minuteMs - 90 * dayMs)));
    expect(asked.spends.map(({ before }) => before)).toEqual([after(at(0), minuteMs - 400 * dayMs)]);
    expect([state.heap, told]).toEqual([0, [{ what: "pulls", count: 120 }]]);
    await clock.advance(2 * hourMs);
    expect(asked.spends).toHaveLength(3);
    // Nothing was there any more, and nothing is told of that.
    expect(told).toHaveLength(1);
    await stop();
  });

  it("never forgets a pull of which something may still be ordered and not paid for", () => {
    expect(Retention.safeParse({ endedPullsDays: 6 }).success).toBe(false);
  });

  it("keeps things as long as the operator says now", async () => {
    const { clock, asked, state, stop } = sweeper(0);
    await clock.advance(minuteMs);
    state.retention = Retention.parse({ endedPullsDays: 7 });
    await clock.advance(hourMs);
    const days = asked.pulls.map(({ before }, index) => (at(0) + minuteMs + index * hourMs - before) / dayMs);
    expect(days).toEqual([90, 7]);
    await stop();
  });

  it("tries again when the database was away, and ends when it is told to", async () => {
    const { clock, asked, told, state, stop } = sweeper(1);
    state.isBroken = true;
    await clock.advance(minuteMs);
    expect(told).toEqual([{ what: "pulls", why: "the database is away" }]);
    // The other heap is swept all the same.
    expect(asked.spends).toHaveLength(1);
    state.isBroken = false;
    await clock.advance(hourMs);
    expect([asked.pulls.length, state.heap]).toEqual([1, 0]);
    await stop();
    await clock.advance(dayMs);
    expect(asked.pulls).toHaveLength(1);
  });
});
