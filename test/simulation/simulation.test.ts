import { describe, expect, it } from "vitest";
import { corpus } from "./corpus.ts";
import { runSeed } from "./run-seed.ts";
import { runSimulation } from "./run-simulation.ts";

describe("simulation of the crank, quick tier", () => {
  it("holds its invariants over many lives of a pull", async () => {
    const lines: string[] = [];
    const print = (line: string): void => {
      lines.push(line);
    };
    const { failed } = await runSimulation({ seeds: 150, firstSeed: 1, trace: false, threads: 1, print });
    expect({ failed, lines: failed === 0 ? [] : lines }).toEqual({ failed: 0, lines: [] });
  });

  it("tells the same story for the same seed", async () => {
    for (const seed of [7, 11, 55]) {
      const [first, second] = [await runSeed(seed, { isTracing: true }), await runSeed(seed, { isTracing: true })];
      expect(second.trace).toEqual(first.trace);
    }
  });

  it("comes to the end of a request that somebody is told of, where it aims at it", async () => {
    const crossing = "store.changeObligation sending completion before";
    const { counts, problem } = await runSeed(1, { target: { crossing, time: 1 } });
    expect(problem).toBeNull();
    expect(counts.crashes[crossing]).toBe(1);
  });

  it("keeps one sentence for each seed of the corpus", () => {
    expect(new Set(corpus.map(({ seed }) => seed)).size).toBe(corpus.length);
    for (const { story } of corpus) expect(story).toMatch(/^[A-Z].*\.$/);
  });
});
