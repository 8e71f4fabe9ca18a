import { describe, expect, it } from "vitest";
import { parseMutateArguments } from "./mutate-arguments.ts";

describe("the arguments of mutate", () => {
  it("mean all guards by default", () => {
    expect(parseMutateArguments([])).toMatchObject({ kind: "run", arguments: { only: [], json: false } });
  });

  it("name guards, seeds and the form of the answer", () => {
    const args = ["--only", "hold", "--only", "lane", "--seeds", "20", "--json"];
    expect(parseMutateArguments(args)).toEqual({
      kind: "run",
      arguments: { only: ["hold", "lane"], seeds: 20, json: true },
    });
  });

  it.each([[["--seeds", "0"]], [["--seeds", "many"]], [["--sedes", "1"]], [["hold"]]])("reject %j", (args) => {
    expect(parseMutateArguments(args).kind).toBe("wrong");
  });

  it("ask for help", () => {
    expect(parseMutateArguments(["-h"])).toEqual({ kind: "help" });
  });
});
