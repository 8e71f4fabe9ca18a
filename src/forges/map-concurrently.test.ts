import { describe, expect, it } from "vitest";
import { mapConcurrently } from "#forges/map-concurrently.ts";

describe("mapping in turns", () => {
  it("answers in the order of the elements, with no more than so many under way", async () => {
    let underWay = 0;
    let most = 0;
    const found = await mapConcurrently([5, 3, 4, 1, 2], 2, async (item) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let tick = 0; tick < item; tick++) await Promise.resolve();
      underWay -= 1;
      return item * 10;
    });
    expect(found).toEqual([50, 30, 40, 10, 20]);
    expect(most).toBe(2);
  });

  it("begins nothing more after a failure, and lets what is under way come to its end", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const map = async (item: number): Promise<void> => {
      begun.push(item);
      for (let tick = 0; tick < 10 * item; tick++) await Promise.resolve();
      ended.push(item);
      if (item === 1) throw new Error("broken");
    };
    await expect(mapConcurrently([1, 2, 3, 4], 2, map)).rejects.toThrow("broken");
    expect([begun, ended]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
