import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, hourMs, type Instant, instant, instantMax } from "#core/model/instant.ts";
import type { Store } from "#ports/store.ts";
import { at } from "#testing/makers.ts";
import { useStores, worlds } from "./worlds.ts";

const gapMs = 1000;
/** More than any two of these differ. */
const aheadMsMax = hourMs;
const endless = instant(instantMax);

/** Clocks of several workers: close together, but in no order. */
const someTime = fc.integer({ min: 0, max: 20_000 }).map((ms) => after(at(0), ms));

interface Ask {
  readonly now: Instant;
  readonly patienceMs: number;
}

const someAsk: fc.Arbitrary<Ask> = fc.record({
  now: someTime,
  patienceMs: fc.constantFrom(0, 500, 3000, 100_000),
});

describe.each(worlds)("the pace of an installation, in $name", (world) => {
  let store: Store;
  let other: Store;
  useStores(world, (stores) => {
    [store, other] = stores;
  });

  async function takeTurns(instance: string, asks: readonly Ask[]): Promise<readonly (Instant | null)[]> {
    const turns: (Instant | null)[] = [];
    for (const [index, { now, patienceMs }] of asks.entries()) {
      const request = { instance, now, gapMs, aheadMsMax, noLaterThan: after(now, patienceMs) };
      turns.push(await (index % 2 === 0 ? store : other).reserveWriteSlot(request));
    }
    return turns;
  }

  it("knows no pause at first", async () => {
    expect(await store.findPause({ instance: "free", now: at(0) })).toBeUndefined();
  });

  it("tells every worker of a pause until its last moment", async () => {
    await store.extendPause({ instance: "paused", until: at(5) });
    expect(await other.findPause({ instance: "paused", now: at(0) })).toBe(at(5));
    expect(await other.findPause({ instance: "paused", now: instant(at(5) - 1) })).toBe(at(5));
    expect(await other.findPause({ instance: "paused", now: at(5) })).toBeUndefined();
    expect(await other.findPause({ instance: "paused", now: at(6) })).toBeUndefined();
    expect(await other.findPause({ instance: "another", now: at(0) })).toBeUndefined();
  });

  it("holds the latest of all pauses, in whatever order they came", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someTime, { minLength: 1, maxLength: 6 }), async (ends) => {
        const instance = `pauses ${runs++}`;
        await Promise.all(
          ends.map(async (until, index) => (index % 2 === 0 ? store : other).extendPause({ instance, until })),
        );
        const latest = ends.reduce((left, right) => (left > right ? left : right));
        expect(await store.findPause({ instance, now: instant(at(0) - 1) })).toBe(latest);
      }),
      { numRuns: world.runs(50) },
    );
  });

  it("lets the first one write at once", async () => {
    expect(await takeTurns("first", [{ now: at(0), patienceMs: 0 }])).toEqual([at(0)]);
  });

  it("gives turns one gap apart to those who ask at the same time", async () => {
    const request = { instance: "same time", now: at(0), gapMs, aheadMsMax, noLaterThan: endless };
    const turns = await Promise.all(
      [1, 2, 3, 4].map(async (n) => (n % 2 === 0 ? store : other).reserveWriteSlot(request)),
    );
    expect(new Set(turns)).toEqual(new Set([0, 1000, 2000, 3000].map((ms) => after(at(0), ms))));
  });

  it("gives turns at least a gap apart and never in the past, whatever the clocks say", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someAsk, { maxLength: 12 }), async (asks) => {
        const turns = await takeTurns(`turns ${runs++}`, asks);
        const given = turns.filter((turn) => turn !== null);
        for (const [index, turn] of given.slice(1).entries()) {
          expect(turn - (given[index] ?? turn)).toBeGreaterThanOrEqual(gapMs);
        }
        for (const [index, { now, patienceMs }] of asks.entries()) {
          const turn = turns[index] ?? null;
          if (turn === null) continue;
          expect(turn).toBeGreaterThanOrEqual(now);
          expect(turn).toBeLessThanOrEqual(after(now, patienceMs));
        }
      }),
      { numRuns: world.runs(100) },
    );
  });

  it("leaves no trace of those who would not wait", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someAsk, { maxLength: 12 }), async (asks) => {
        const turns = await takeTurns(`impatient ${runs}`, asks);
        const patient = asks.filter((_, index) => turns[index] !== null);
        expect(await takeTurns(`patient ${runs++}`, patient)).toEqual(turns.filter((turn) => turn !== null));
      }),
      { numRuns: world.runs(50) },
    );
  });

  it("does not let a clock that is wrong hold up the others", async () => {
    const take = async (now: Instant) =>
      await store.reserveWriteSlot({ instance: "wrong clock", now, gapMs, aheadMsMax: 15_000, noLaterThan: endless });
    expect(await take(at(60))).toBe(at(60));
    // Nobody can say when the last write was: a gap from now is late enough.
    expect(await take(at(0))).toBe(after(at(0), gapMs));
    expect(await take(at(0))).toBe(after(at(0), 2 * gapMs));
    expect(await take(at(60))).toBe(at(60));
  });

  it("believes a turn that lies as far ahead as may be", async () => {
    const request = { instance: "far ahead", gapMs, aheadMsMax: 15_000, noLaterThan: endless };
    await store.reserveWriteSlot({ ...request, now: after(at(0), 15_000) });
    expect(await other.reserveWriteSlot({ ...request, now: at(0) })).toBe(after(at(0), 15_000 + gapMs));
  });

  it("does not let one installation wait for another", async () => {
    const asks = [1, 2, 3].map(() => ({ now: at(0), patienceMs: 10_000 }));
    await takeTurns("busy", asks);
    expect(await takeTurns("quiet", asks.slice(1))).toEqual([at(0), after(at(0), gapMs)]);
  });
});
