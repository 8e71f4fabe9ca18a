import { describe, expect, it } from "vitest";
import { symlinkOutside } from "#reviewers/rules/files/symlink-outside.ts";
import { type FileSketch, newFile, placesOf } from "#testing/rules-makers.ts";

function link(path: string, target: string): FileSketch {
  return { ...newFile(path, target), newMode: "120000" };
}

describe("symlink-outside", () => {
  it.each([
    ["config", "/etc/passwd"],
    ["config", "../secrets"],
    ["a/b/config", "../../../x"],
    ["a/config", "../.git/config"],
    ["a", "b/../../c"],
    ["a", "C:\\Windows"],
    ["a", "~/x"],
  ])("finds %s -> %s", async (path, target) => {
    expect(await placesOf(symlinkOutside, [link(path, target)])).toEqual(["1"]);
  });

  it.each([
    ["a/b/config", "../../x"],
    ["config", "default/config"],
    ["a/config", "./other"],
    ["a/config", "../.github/x"],
  ])("lets %s -> %s pass", async (path, target) => {
    expect(await placesOf(symlinkOutside, [link(path, target)])).toEqual([]);
  });

  it("lets a plain file pass that holds such a path", async () => {
    expect(await placesOf(symlinkOutside, [newFile("config", "/etc/passwd")])).toEqual([]);
  });
});
