import { expect, test } from "vitest";
import { giteaBuilds } from "#real-gitea/gitea-builds.ts";
import { parseGiteaArguments } from "./test-gitea-arguments.ts";

test("nothing said means every version and every test", () => {
  expect(parseGiteaArguments([])).toEqual({
    kind: "run",
    arguments: { builds: giteaBuilds, isBuildOnly: false, filters: [] },
  });
});

test("versions are chosen by name, in the order of the list, beside filters", () => {
  const versions = giteaBuilds.map(({ version }) => version).toReversed();
  const parsed = parseGiteaArguments(["--versions", versions.join(", "), "--build-only", "merge"]);
  expect(parsed).toEqual({
    kind: "run",
    arguments: { builds: giteaBuilds, isBuildOnly: true, filters: ["merge"] },
  });
});

test("a version that is not built is named", () => {
  expect(parseGiteaArguments(["--versions", "0.9.1"])).toEqual({
    kind: "wrong",
    message: "not a version of the tests: 0.9.1",
  });
});

test("an option that nobody knows is wrong usage, and help is not", () => {
  expect(parseGiteaArguments(["--fast"]).kind).toBe("wrong");
  expect(parseGiteaArguments(["-h"]).kind).toBe("help");
});
