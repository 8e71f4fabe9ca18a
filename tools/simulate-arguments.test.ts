import { describe, expect, it } from "vitest";
import { parseSimulateArguments } from "./simulate-arguments.ts";

/** The greatest that may be drawn: no seed after it is greater than 32 bits. */
const drawGreatest = (bound: number): number => bound - 1;

describe("the arguments of npm run simulate", () => {
  it.each([
    [[], { firstSeed: 4294965296, seeds: 2000, trace: false, json: false }],
    [["--seeds", "200"], { firstSeed: 4294967096, seeds: 200, trace: false, json: false }],
    [["--seed", "7"], { firstSeed: 7, seeds: 1, trace: false, json: false }],
    [["--seed", "7", "--trace"], { firstSeed: 7, seeds: 1, trace: true, json: false }],
    [["--seed=0"], { firstSeed: 0, seeds: 1, trace: false, json: false }],
    [["--seed", "1000", "--seeds", "500"], { firstSeed: 1000, seeds: 500, trace: false, json: false }],
    [["--seed", "4294967295"], { firstSeed: 4294967295, seeds: 1, trace: false, json: false }],
    [["--seed", "7", "--scene", "budget"], { firstSeed: 7, seeds: 1, trace: false, json: false, scene: "budget" }],
    [["--seeds", "20", "--json"], { firstSeed: 4294967276, seeds: 20, trace: false, json: true }],
  ])("understand %j", (args, expected) => {
    expect(parseSimulateArguments(args, drawGreatest)).toEqual({ kind: "run", arguments: expected });
  });

  it.each([
    [["--trace"], "--trace is for one seed"],
    [["--seeds", "0"], "--seeds wants"],
    [["--seeds", "ten"], "--seeds wants"],
    [["--seeds", "1.5"], "--seeds wants"],
    [["--seeds", ""], "--seeds wants"],
    [["--seed", "1e3"], "--seed wants"],
    [["--seed", "4294967296"], "--seed wants"],
    [["--seed=-1"], "--seed wants"],
    [["--seed", "4294967295", "--seeds", "2"], "greater than"],
    [["--seeds", "2", "--trace"], "--trace is for one seed"],
    [["--seed", "2", "--trace", "--json"], "choose one"],
    [["--sedes", "2"], "--sedes"],
    [["20000"], "20000"],
  ])("refuse %j", (args, message) => {
    expect(parseSimulateArguments(args, drawGreatest)).toEqual({
      kind: "wrong",
      message: expect.stringContaining(message),
    });
  });

  it("take new seeds each time where none is named", () => {
    const firstSeeds = [7, 8].map((drawn) => parseSimulateArguments(["--seeds", "3"], () => drawn));
    expect(firstSeeds).toMatchObject([{ arguments: { firstSeed: 7 } }, { arguments: { firstSeed: 8 } }]);
  });

  it("explain themselves", () => {
    expect(parseSimulateArguments(["--help"], drawGreatest)).toEqual({ kind: "help" });
  });
});
