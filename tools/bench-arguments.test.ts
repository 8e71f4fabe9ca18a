import { describe, expect, it } from "vitest";
import { chooseBenches } from "./bench-arguments.ts";

describe("the arguments of npm run bench", () => {
  it("name the benches to run", () => {
    expect(chooseBenches(["core"])).toEqual({ kind: "run", names: ["core"] });
  });

  it("list what there is when nothing is named", () => {
    expect(chooseBenches([])).toEqual({ kind: "list", text: expect.stringContaining("core:") });
  });

  it.each(["cora", "toString", "Core"])("refuse %s, beside the list of what there is", (name) => {
    const chosen = chooseBenches(["core", name]);
    expect(chosen).toEqual({ kind: "wrong", message: expect.stringContaining(`no such bench: ${name}\n`) });
    expect(chosen).toEqual({ kind: "wrong", message: expect.stringContaining("core:") });
  });
});
