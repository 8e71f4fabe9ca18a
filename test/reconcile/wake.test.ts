import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { createWakeSignal } from "#reconcile/wake-signal.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

describe("a bell", () => {
  it("ends a wait when it rings, and the next one if nobody waited", async () => {
    const clock = createVirtualClock(at(0));
    const wake = createWakeSignal(clock);
    const { signal } = new AbortController();
    const waiting = wake.wait(minuteMs, signal);
    wake.notify();
    await waiting;
    wake.notify();
    await wake.wait(minuteMs, signal);
    expect(clock.now()).toBe(at(0));
    const quiet = wake.wait(minuteMs, signal);
    await clock.advance(minuteMs);
    await quiet;
  });

  it("ends a wait when the signal is aborted, and begins none after it", async () => {
    const clock = createVirtualClock(at(0));
    const wake = createWakeSignal(clock);
    const stopping = new AbortController();
    const waiting = wake.wait(minuteMs, stopping.signal);
    stopping.abort();
    await waiting;
    await wake.wait(minuteMs, stopping.signal);
    expect(clock.now()).toBe(at(0));
  });

  it("leaves nothing behind in a signal that outlives a thousand waits", async () => {
    const clock = createVirtualClock(at(0));
    const wake = createWakeSignal(clock);
    const { signal } = new AbortController();
    for (let times = 0; times < 1000; times++) {
      const waiting = wake.wait(minuteMs, signal);
      if (times % 2 === 0) wake.notify();
      else await clock.advance(minuteMs);
      await waiting;
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // Where Node keeps what follows from a signal.
    const followers = Object.getOwnPropertySymbols(signal).filter(
      (symbol) => symbol.description === "kDependantSignals",
    );
    expect(followers).toEqual([]);
  });
});
