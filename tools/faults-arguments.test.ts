import { describe, expect, it } from "vitest";
import { parseFaultsArguments } from "./faults-arguments.ts";

const usual = { engine: "embedded", manner: "github", ending: "kill", lives: 200, seed: 1 };

describe("the arguments of npm run faults", () => {
  it.each([
    [[], usual],
    [["--lives", "5", "--seed", "7"], { ...usual, lives: 5, seed: 7 }],
    [
      ["--engine", "postgres", "--manner=gitea", "--ending", "stop"],
      { ...usual, engine: "postgres", manner: "gitea", ending: "stop" },
    ],
  ])("understand %j", (args, expected) => {
    expect(parseFaultsArguments(args)).toEqual({ kind: "run", arguments: expected });
  });

  it.each([
    ["--lives", "0"],
    ["--lives", "many"],
    ["--seed", "1.5"],
    ["--engine", "sqlite"],
    ["--ending"],
    ["--cuts", "3"],
    ["kills"],
  ])("do not understand %s %s", (...args) => {
    expect(parseFaultsArguments(args).kind).toBe("wrong");
  });

  it("ask for help", () => {
    expect(parseFaultsArguments(["--help"])).toEqual({ kind: "help" });
  });
});
