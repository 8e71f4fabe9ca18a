import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

describe("the virtual clock", () => {
  it("wakes sleepers in the order of their times, then of lying down, each at exactly its time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 10 })), async (spans) => {
        const clock = createVirtualClock(at(0));
        const sleepers = spans.map((ms, index) => ({ ms, name: `sleeper ${index}` }));
        const woken: { readonly name: string; readonly atMs: number }[] = [];
        const asleep = Promise.all(
          sleepers.map(async ({ ms, name }) => {
            await clock.sleep(ms);
            woken.push({ name, atMs: clock.now() - at(0) });
          }),
        );
        await clock.advance(50);
        await asleep;
        const sorted = sleepers.toSorted((left, right) => left.ms - right.ms);
        expect(woken).toEqual(sorted.map(({ ms, name }) => ({ name, atMs: ms })));
        expect(clock.now()).toBe(at(0) + 50);
      }),
    );
  });

  it("wakes whoever lies down again within the same span", async () => {
    const clock = createVirtualClock(at(0));
    const seen: number[] = [];
    const loop = (async () => {
      for (let round = 0; round < 3; round++) {
        await clock.sleep(10);
        seen.push(clock.now() - at(0));
      }
    })();
    await clock.advance(100);
    await loop;
    expect(seen).toEqual([10, 20, 30]);
  });

  it("lets no time pass while something is under way that it was told of", async () => {
    let call: Promise<void> | undefined;
    const clock = createVirtualClock(at(0), () => call);
    const seen: number[] = [];
    const ask = async (): Promise<void> => {
      await clock.sleep(10);
      call = new Promise((resolve) => {
        // Later than any promise of this process, as an answer from outside is.
        setTimeout(resolve, 1);
      });
      await call;
      seen.push(clock.now() - at(0));
      call = undefined;
    };
    const asked = ask();
    await clock.advance(100);
    await asked;
    expect(seen).toEqual([10]);
  });

  it("leaves those asleep whose time has not come, and says when it will", async () => {
    const clock = createVirtualClock(at(0));
    const awake: string[] = [];
    const asleep = clock.sleep(1000).then(() => awake.push("ada"));
    await clock.advance(999);
    expect(awake).toEqual([]);
    expect(clock.nextWake()).toBe(at(0) + 1000);
    await clock.advance(1);
    await asleep;
    expect(awake).toEqual(["ada"]);
    expect(clock.nextWake()).toBeUndefined();
  });

  it("wakes at once when the signal is aborted, and does not sleep when it already was", async () => {
    const clock = createVirtualClock(at(0));
    const stop = new AbortController();
    const asleep = clock.sleep(1000, stop.signal);
    stop.abort();
    await asleep;
    await clock.sleep(1000, stop.signal);
    expect(clock.nextWake()).toBeUndefined();
    expect(clock.now()).toBe(at(0));
  });

  it.each([0, -5, Number.NaN])("does not sleep for %d ms", async (ms) => {
    const clock = createVirtualClock(at(0));
    await clock.sleep(ms);
    expect(clock.nextWake()).toBeUndefined();
  });

  it("shows another time when its hands are moved, and nobody sleeps longer or shorter for it", async () => {
    const clock = createVirtualClock(at(10));
    const awake: string[] = [];
    const asleep = clock.sleep(1000).then(() => awake.push("ada"));
    clock.set(at(0));
    expect(clock.now()).toBe(at(0));
    await clock.advance(999);
    expect(awake).toEqual([]);
    await clock.advance(1);
    await asleep;
    expect(awake).toEqual(["ada"]);
    expect(clock.now()).toBe(at(0) + 1000);
  });
});
