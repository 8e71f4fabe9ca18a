import { describe, expect, it } from "vitest";
import { dependencyFromAddress } from "#reviewers/rules/dependencies/dependency-from-address.ts";
import { changedFile, newFile, placesOf } from "#testing/rules-makers.ts";

const commit = "0123abcd".repeat(5);

function withDependency(wanted: string): readonly string[] {
  return [" {", '   "dependencies": {', `+    "left-pad": "${wanted}"`, "   }", " }"];
}

describe("dependency-from-address", () => {
  it.each([
    "github:someone/left-pad",
    "someone/left-pad",
    "someone/left-pad#main",
    "git+https://example.org/x.git",
    "https://example.org/x.tgz",
  ])("finds %s in package.json", async (wanted) => {
    expect(await placesOf(dependencyFromAddress, [changedFile("package.json", ...withDependency(wanted))])).toEqual([
      "3",
    ]);
  });

  it.each(["git+https://example.org/x.git@main", "x @ https://example.org/x.zip", "-e git+ssh://git@example.org/x"])(
    "finds %s among requirements",
    async (line) => {
      expect(await placesOf(dependencyFromAddress, [newFile("requirements-dev.txt", line)])).toEqual(["1"]);
    },
  );

  it.each(["1.2.3", "^1.0.0", "workspace:*", "file:../x", `github:someone/left-pad#${commit}`, "npm:other@1.0.0"])(
    "lets %s in package.json pass",
    async (wanted) => {
      expect(await placesOf(dependencyFromAddress, [changedFile("package.json", ...withDependency(wanted))])).toEqual(
        [],
      );
    },
  );

  it.each([
    "requests==2.0",
    `git+https://example.org/x.git@${commit}`,
    "x @ https://example.org/x.zip#sha256=ab",
    "# git+x",
  ])("lets %s among requirements pass", async (line) => {
    expect(await placesOf(dependencyFromAddress, [newFile("requirements.txt", line)])).toEqual([]);
  });
});
