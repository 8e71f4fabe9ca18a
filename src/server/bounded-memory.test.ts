import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundedMemory, type MemoryShare } from "#server/bounded-memory.ts";

describe("memory that many share", () => {
  it("makes the largest give way, and tells it once", () => {
    const memory = createBoundedMemory(100);
    const told: string[] = [];
    const [large, middle, small] = ["large", "middle", "small"].map((name) => memory.open(() => told.push(name)));
    expect([large?.grow(60), middle?.grow(30), small?.grow(10)]).toEqual([true, true, true]);
    expect(small?.grow(11)).toBe(true);
    expect(told).toEqual(["large"]);
    expect(memory.countBytes()).toBe(41);
    expect(large?.grow(1)).toBe(false);
    large?.release();
    expect(memory.countBytes()).toBe(41);
  });

  it("makes the one who asks give way when that would be the largest", () => {
    const memory = createBoundedMemory(100);
    const told: string[] = [];
    const [greedy, other] = [memory.open(() => told.push("greedy")), memory.open(() => told.push("other"))];
    expect([other.grow(50), greedy.grow(51)]).toEqual([true, false]);
    expect(told).toEqual([]);
    expect(memory.countBytes()).toBe(50);
  });

  it("never holds more than its limit, and nothing once all are gone", () => {
    const anyStep = fc.record({ share: fc.nat({ max: 5 }), bytes: fc.nat({ max: 60 }), isRelease: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const memory = createBoundedMemory(100);
        const held = new Map<MemoryShare, number>();
        const shares = Array.from({ length: 6 }, () => {
          const share: MemoryShare = memory.open(() => held.delete(share));
          return share;
        });
        for (const { share: index, bytes, isRelease } of steps) {
          const share = shares[index];
          if (share === undefined) continue;
          if (isRelease) share.release();
          const isHeld = !isRelease && share.grow(bytes);
          if (isHeld) held.set(share, bytes);
          else held.delete(share);
          expect(memory.countBytes()).toBeLessThanOrEqual(100);
          expect(memory.countBytes()).toBe([...held.values()].reduce((sum, each) => sum + each, 0));
        }
        for (const share of shares) share.release();
        expect(memory.countBytes()).toBe(0);
      }),
    );
  });
});
