import { describe, expect, it } from "vitest";
import { BENCHES, chooseBenches } from "./bench-arguments.ts";

describe("the arguments of npm run bench", () => {
  it("name the benches to run, with their usual options", () => {
    expect(chooseBenches(["core", "intake"])).toEqual({
      kind: "run",
      benches: [
        { name: "core", options: {} },
        { name: "intake", options: BENCHES.intake.options },
      ],
    });
  });

  it("change an option of the benches that have it, and of no other", () => {
    expect(chooseBenches(["--seconds=0.5", "core", "scale", "intake", "--only=embedded"])).toEqual({
      kind: "run",
      benches: [
        { name: "core", options: {} },
        { name: "scale", options: { ...BENCHES.scale.options, seconds: 0.5, only: "embedded" } },
        { name: "intake", options: { ...BENCHES.intake.options, seconds: 0.5, only: "embedded" } },
      ],
    });
  });

  it("list what there is, options included, when nothing is named", () => {
    const chosen = chooseBenches([]);
    expect(chosen).toEqual({ kind: "list", text: expect.stringContaining("core:") });
    expect(chosen).toEqual({
      kind: "list",
      text: expect.stringContaining(`--rounds=${BENCHES.intake.options.rounds}`),
    });
  });

  it.each(["cora", "toString", "Core"])("refuse %s, beside the list of what there is", (name) => {
    const chosen = chooseBenches(["core", name]);
    expect(chosen).toEqual({ kind: "wrong", message: expect.stringContaining(`no such bench: ${name}\n`) });
    expect(chosen).toEqual({ kind: "wrong", message: expect.stringContaining("core:") });
  });

  it.each([
    [["intake", "--round=3"], "no such option: --round\n"],
    [["intake", "--toString=3"], "no such option: --toString\n"],
    [["core", "--rounds=3"], "no such option: --rounds\n"],
    [["intake", "--rounds"], "expected a value: --rounds=…\n"],
    [["intake", "--rounds", "3"], "no such bench: 3\nexpected a value: --rounds=…\n"],
    [["intake", "--rounds=many"], "expected a number above 0: --rounds=many\n"],
    [["intake", "--seconds=0"], "expected a number above 0: --seconds=0\n"],
    [["--seconds=3"], "which bench?\n"],
  ])("refuse %j", (args, message) => {
    expect(chooseBenches(args)).toEqual({ kind: "wrong", message: expect.stringContaining(message) });
  });
});
