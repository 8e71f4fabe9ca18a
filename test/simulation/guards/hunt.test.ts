import { describe, expect, it } from "vitest";
import { type HuntWord, hunt, seedsOf } from "./hunt.ts";

async function wordsOf(seeds: readonly number[], problems: ReadonlyMap<number, string>): Promise<readonly HuntWord[]> {
  const words: HuntWord[] = [];
  const runSeed = async (seed: number) => {
    if (problems.get(seed) === "bang") throw new Error("bang");
    return { problem: problems.get(seed) ?? null };
  };
  await hunt(seeds, runSeed, (word) => words.push(word));
  return words;
}

describe("a hunt", () => {
  it("ends with the first seed that fails", async () => {
    expect(await wordsOf([1, 2, 3], new Map([[2, "bad"]]))).toEqual([
      { kind: "begins", seed: 1 },
      { kind: "begins", seed: 2 },
      { kind: "failed", seed: 2, problem: "bad" },
    ]);
  });

  it("takes what is thrown for a failure", async () => {
    expect((await wordsOf([1], new Map([[1, "bang"]]))).at(-1)).toEqual({
      kind: "failed",
      seed: 1,
      problem: "threw bang",
    });
  });

  it("says so when nothing was found", async () => {
    expect((await wordsOf([1, 2], new Map())).at(-1)).toEqual({ kind: "passed" });
  });

  it("runs what once failed first, each seed once, and goes on where it was", () => {
    expect(seedsOf({ kind: "many", last: 4, skip: 0 }, [3, 90])).toEqual([3, 90, 1, 2, 4]);
    expect(seedsOf({ kind: "many", last: 4, skip: 3 }, [3, 90])).toEqual([2, 4]);
    expect(seedsOf({ kind: "one", seed: 7 }, [3, 90])).toEqual([7]);
  });
});
