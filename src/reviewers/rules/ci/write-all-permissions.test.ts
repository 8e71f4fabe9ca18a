import { describe, expect, it } from "vitest";
import { writeAllPermissions } from "#reviewers/rules/ci/write-all-permissions.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const workflow = ".github/workflows/ci.yml";

describe("write-all-permissions", () => {
  it.each(["permissions: write-all", "    permissions: 'write-all' # for now"])("finds %s", async (line) => {
    expect(await placesOf(writeAllPermissions, [newFile(workflow, line)])).toEqual(["1"]);
  });

  it.each([
    [workflow, "permissions: read-all"],
    [workflow, "  contents: write"],
    [workflow, "# permissions: write-all"],
    ["a.yml", "permissions: write-all"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(writeAllPermissions, [newFile(path, line)])).toEqual([]);
  });
});
