import { describe, expect, it } from "vitest";
import { unportablePath } from "#reviewers/rules/files/unportable-path.ts";
import { changedFile, findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("unportable-path", () => {
  it.each(["src/aux.ts", "con/x.ts", "a:b.txt", "what?.md", "a /b.txt", "name."])("finds %s", async (path) => {
    expect(await placesOf(unportablePath, [newFile(path, "x")])).toEqual(["file"]);
  });

  it("finds two names that differ in capitals alone, at the later one", async () => {
    const findings = await findingsOf(unportablePath, [newFile("src/User.ts", "x"), newFile("src/user.ts", "y")]);
    expect(findings.map(({ path }) => path)).toEqual(["src/user.ts"]);
  });

  it.each(["src/auxiliary.ts", "contact.ts", ".gitignore", "a.b.c/x.ts", "naïve.md", "com10.ts"])(
    "lets %s pass",
    async (path) => {
      expect(await placesOf(unportablePath, [newFile(path, "x")])).toEqual([]);
    },
  );

  it("lets a name pass that was there before", async () => {
    expect(await placesOf(unportablePath, [changedFile("src/aux.ts", " a", "+b")])).toEqual([]);
  });
});
