import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { IdleTimeoutError, withIdleTimeout } from "#models/idle-timeout.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const quiet = new AbortController().signal;

describe("listening", () => {
  it("ends with the work, and leaves nobody asleep", async () => {
    const clock = createVirtualClock(instant(0));
    expect(await withIdleTimeout(clock, { ms: 10, signal: quiet }, async () => await Promise.resolve("done"))).toBe(
      "done",
    );
    expect(clock.nextWake()).toBeUndefined();
  });

  it("ends in silence where no sound comes in time", async () => {
    const clock = createVirtualClock(instant(0));
    const work = withIdleTimeout(
      clock,
      { ms: 10, signal: quiet },
      async () => await new Promise<never>(() => undefined),
    );
    const caught = work.catch((error: unknown) => error);
    await clock.advance(10);
    expect(await caught).toBeInstanceOf(IdleTimeoutError);
    expect(clock.nextWake()).toBeUndefined();
  });

  it("waits on from the last sound", async () => {
    const clock = createVirtualClock(instant(0));
    const finished: (() => void)[] = [];
    const sounds: (() => void)[] = [];
    const work = withIdleTimeout(clock, { ms: 10, signal: quiet }, async (sound) => {
      sounds.push(sound);
      await new Promise<void>((resolve) => finished.push(resolve));
      return "done";
    });
    for (let step = 0; step < 5; step++) {
      await clock.advance(9);
      for (const sound of sounds) sound();
    }
    for (const finish of finished) finish();
    expect(await work).toBe("done");
  });

  it("ends when nobody waits any longer, whether or not the work heeds it", async () => {
    const clock = createVirtualClock(instant(0));
    const stop = new AbortController();
    const work = withIdleTimeout(
      clock,
      { ms: 10, signal: stop.signal },
      async () => await new Promise<never>(() => undefined),
    );
    const caught = work.catch((error: unknown) => error);
    await clock.advance(1);
    stop.abort();
    expect(await caught).toMatchObject({ name: "AbortError" });
    expect(clock.nextWake()).toBeUndefined();
  });

  it("passes on what the work failed with", async () => {
    const clock = createVirtualClock(instant(0));
    const failing = withIdleTimeout(
      clock,
      { ms: 10, signal: quiet },
      async () => await Promise.reject(new Error("broken")),
    );
    await expect(failing).rejects.toThrow("broken");
  });
});
