import { describe, expect, it } from "vitest";
import { parseTestArguments, STEP_NAMES, type TestArguments, vitestArguments } from "./test-arguments.ts";

function parse(args: readonly string[], env: NodeJS.ProcessEnv = {}): TestArguments | string {
  const parsed = parseTestArguments(args, env);
  switch (parsed.kind) {
    case "run":
      return parsed.arguments;
    case "wrong":
      return parsed.message;
    default:
      return parsed.kind;
  }
}

describe("the arguments of npm test", () => {
  it("mean all steps by default", () => {
    expect(parse([])).toEqual({
      steps: STEP_NAMES,
      isQuick: true,
      filters: [],
      isJson: false,
      areSkipsForbidden: false,
    });
  });

  it("run the quick tests, unless all are asked for or files are named", () => {
    expect(parse(["--only", "tests"])).toMatchObject({ isQuick: true });
    expect(parse(["--all"])).toMatchObject({ isQuick: false, steps: STEP_NAMES });
    expect(parse(["--all", "--only", "tests"])).toMatchObject({ isQuick: false, steps: ["tests"] });
    expect(parse(["test/processes"])).toMatchObject({ isQuick: false });
  });

  it("are told to vitest: one project where it is quick, and whatever matches otherwise", () => {
    const strict = ["run", "--allowOnly=false", "--update=none"];
    expect(vitestArguments({ isQuick: true, filters: [] })).toEqual([...strict, "--project=quick"]);
    expect(vitestArguments({ isQuick: false, filters: [] })).toEqual(strict);
    expect(vitestArguments({ isQuick: false, filters: ["diff"] })).toEqual([...strict, "diff"]);
  });

  it("choose steps, which run in the order of the house", () => {
    expect(parse(["--only", "types, format"])).toMatchObject({ steps: ["format", "types"] });
    expect(parse(["--only=tests", "--json"])).toMatchObject({ steps: ["tests"], isJson: true });
  });

  it("run only the tests when files are named, unless steps are named as well", () => {
    expect(parse(["src/core", "diff"])).toMatchObject({ steps: ["tests"], filters: ["src/core", "diff"] });
    expect(parse(["--only", "lint,tests", "diff"])).toMatchObject({ steps: ["lint", "tests"], filters: ["diff"] });
  });

  it.each([
    [["--only", "tets"], "no such step: tets"],
    [["--only", ""], "no such step: "],
    [["--only", "lint,,"], "no such step: , "],
    [["--only", "lint", "diff"], "file filters need the step tests"],
  ])("refuse %j", (args, message) => {
    expect(parse(args)).toBe(message);
  });

  it("refuse an option that does not exist, by its name", () => {
    expect(parse(["--jsn"])).toContain("--jsn");
    expect(parse(["--only"])).toContain("--only");
  });

  it("explain themselves", () => {
    expect(parse(["--help"])).toBe("help");
  });

  it.each([
    [{ CI: "true" }, true],
    [{ CI: "1" }, true],
    [{ DROVER_FORBID_SKIPS: "1" }, true],
    [{ CI: "false" }, false],
    [{ CI: "", DROVER_FORBID_SKIPS: "0" }, false],
  ])("forbid skips by the environment: %j", (env, areSkipsForbidden) => {
    expect(parse([], env)).toMatchObject({ areSkipsForbidden });
  });
});
