import { describe, expect, it } from "vitest";
import { executableMode } from "#reviewers/rules/files/executable-mode.ts";
import { changedFile, type FileSketch, newFile, placesOf } from "#testing/rules-makers.ts";

function turned(path: string, from = "100644", to = "100755"): FileSketch {
  return { path, kind: "mode_changed", lines: [], oldMode: from, newMode: to };
}

describe("executable-mode", () => {
  it("finds a document, data and a source that turn executable", async () => {
    const changedToo = { ...changedFile("b.json", " {", "+ ", " }"), oldMode: "100644", newMode: "100755" };
    const files = [turned("README.md"), changedToo, { ...newFile("src/a.go", "x"), newMode: "100755" }];
    expect(await placesOf(executableMode, files)).toEqual(["file", "file", "file"]);
  });

  it.each(["run.sh", "bin/tool", "a.py", "a.js"])("lets %s pass", async (path) => {
    expect(await placesOf(executableMode, [turned(path)])).toEqual([]);
  });

  it("lets a bit pass that is taken away, or was there", async () => {
    const kept = changedFile("b.md", " a", "+b");
    expect(await placesOf(executableMode, [turned("README.md", "100755", "100644"), kept])).toEqual([]);
  });
});
