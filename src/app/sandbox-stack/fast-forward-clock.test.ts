import { describe, expect, it } from "vitest";
import { createFastForwardClock } from "#app/sandbox-stack/fast-forward-clock.ts";
import { after, minuteMs } from "#core/model/instant.ts";
import { at } from "#testing/makers.ts";

describe("the leaping clock", () => {
  it("stands still by itself, and leaps forward, never back", () => {
    const clock = createFastForwardClock(at(0));
    expect(clock.now()).toBe(at(0));
    clock.leapTo(after(at(0), minuteMs));
    clock.leapTo(at(0));
    expect(clock.now()).toBe(after(at(0), minuteMs));
  });

  it("wakes those who are due by a leap, and lets the others sleep", async () => {
    const clock = createFastForwardClock(at(0));
    const awake: string[] = [];
    const stop = new AbortController();
    const ada = clock.sleep(minuteMs).then(() => awake.push("ada"));
    const rita = clock.sleep(2 * minuteMs, stop.signal).then(() => awake.push("rita"));
    clock.leapTo(after(at(0), minuteMs));
    await ada;
    expect(awake).toEqual(["ada"]);
    stop.abort();
    await rita;
    expect(awake).toEqual(["ada", "rita"]);
    expect(clock.now()).toBe(after(at(0), minuteMs));
  });

  it("goes along with a sleeper for whom nobody leaps", async () => {
    const clock = createFastForwardClock(at(0));
    await clock.sleep(5);
    expect(clock.now()).toBe(after(at(0), 5));
  });

  it("lets nobody sleep who is called already, or for no time at all", async () => {
    const clock = createFastForwardClock(at(0));
    await clock.sleep(minuteMs, AbortSignal.abort());
    await clock.sleep(0);
    expect(clock.now()).toBe(at(0));
  });
});
