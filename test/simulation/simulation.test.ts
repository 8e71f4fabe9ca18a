import { describe, expect, it } from "vitest";
import { buildWorld, openPulls } from "./build-world.ts";
import { corpus } from "./corpus.ts";
import { finale } from "./finale.ts";
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
  }, 600_000);

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

  it("ends after a problem, whatever people still wait for", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { world } = await buildWorld({ seed, off: new Set(), isTracing: false, target: null, scene: null });
      await openPulls(world);
      world.problem = "planted";
      let calls = 0;
      await finale(world, async () => {
        // No time passes after a problem, so a finale that waits for people would wait for ever.
        expect(++calls, `seed ${seed}`).toBeLessThanOrEqual(10);
      });
    }
  });

  it("keeps one sentence for each seed of the corpus", () => {
    expect(new Set(corpus.map(({ seed }) => seed)).size).toBe(corpus.length);
    for (const { story } of corpus) expect(story).toMatch(/^[A-Z].*\.$/);
  });
});
