import { describe, expect, it } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";

describe("the system clock", () => {
  it("tells the time of this machine", () => {
    const before = Date.now();
    const now = createSystemClock().now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it("sleeps, and wakes by itself", async () => {
    await expect(createSystemClock().sleep(1)).resolves.toBeUndefined();
  });

  it("wakes at once when the signal is aborted, without rejecting", async () => {
    const stop = new AbortController();
    const asleep = createSystemClock().sleep(86_400_000, stop.signal);
    stop.abort();
    await expect(asleep).resolves.toBeUndefined();
    await expect(createSystemClock().sleep(86_400_000, stop.signal)).resolves.toBeUndefined();
  });

  it("does not take a month for a millisecond, as a bare timer does", async () => {
    const stop = new AbortController();
    const awake: string[] = [];
    const asleep = createSystemClock()
      .sleep(2 ** 31 + 1, stop.signal)
      .then(() => awake.push("ada"));
    await createSystemClock().sleep(20);
    expect(awake).toEqual([]);
    stop.abort();
    await asleep;
    expect(awake).toEqual(["ada"]);
  });
});
