import { describe, expect, it } from "vitest";
import { runSeed } from "./run-seed.ts";
import { runSimulation } from "./run-simulation.ts";

describe("simulation of the core, quick tier", () => {
  it("holds its invariants over many lives of a pull", async () => {
    const lines: string[] = [];
    const { failed } = await runSimulation({
      seeds: 800,
      firstSeed: 1,
      trace: false,
      print: (line) => lines.push(line),
    });
    expect({ failed, lines: failed === 0 ? [] : lines }).toEqual({ failed: 0, lines: [] });
  });

  it("tells the same story for the same seed", () => {
    expect(runSeed(7).trace).toEqual(runSeed(7).trace);
  });
});
