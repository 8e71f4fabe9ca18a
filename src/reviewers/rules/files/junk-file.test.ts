import { describe, expect, it } from "vitest";
import { junkFile } from "#reviewers/rules/files/junk-file.ts";
import { binaryFile, changedFile, deletedFile, findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("junk-file", () => {
  it.each([
    "app/.DS_Store",
    "Thumbs.db",
    "src/a.ts.orig",
    "src/.a.ts.swp",
    "notes~",
    "npm-debug.log",
    ".idea/workspace.xml",
    "target/debug/app.d",
  ])("finds %s", async (path) => {
    expect(await placesOf(junkFile, [newFile(path, "x")])).toEqual(["file"]);
  });

  it("speaks once about each heap, and names it", async () => {
    const paths = ["a/node_modules/x/1.js", "a/node_modules/x/2.js", "a/node_modules/y/3.js", "b/node_modules/4.js"];
    const findings = await findingsOf(
      junkFile,
      paths.map((path) => newFile(path, "x")),
    );
    expect(findings.map(({ path }) => path)).toEqual([paths[0], paths[3]]);
    expect(findings[0]?.message).toContain("`a/node_modules/`");
  });

  it("finds binaries", async () => {
    expect(await placesOf(junkFile, [{ ...binaryFile("x/__pycache__/a.cpython-311.pyc"), kind: "added" }])).toEqual([
      "file",
    ]);
  });

  it.each(["dist/index.js", ".vscode/settings.json", ".idea/codeStyles/x.xml", "src/node_modules.ts", "docs/original"])(
    "lets %s pass",
    async (path) => {
      expect(await placesOf(junkFile, [newFile(path, "x")])).toEqual([]);
    },
  );

  it("lets junk pass that was there before, or goes", async () => {
    const files = [changedFile("a/.DS_Store", " a", "+b"), deletedFile("b/.DS_Store", "a")];
    expect(await placesOf(junkFile, files)).toEqual([]);
  });
});
