import { describe, expect, it } from "vitest";
import { deletedTest } from "#reviewers/rules/tests/deleted-test.ts";
import { changedFile, deletedFile, findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("deleted-test", () => {
  it.each([
    ["src/price.test.ts", "src/price.ts"],
    ["src/__tests__/price.test.tsx", "src/price.tsx"],
    ["pkg/price_test.go", "pkg/price.go"],
    ["lib/price_spec.rb", "lib/price.rb"],
    ["app/test_price.py", "app/price.py"],
  ])("finds that %s went while %s stays", async (path, subject) => {
    const findings = await findingsOf(deletedTest, [deletedFile(path, "a")], { [subject]: "code" });
    expect(findings.map(({ side, snippet }) => ({ side, snippet }))).toEqual([{ side: "old", snippet: "" }]);
  });

  it("finds a deleted test if its subject is part of the change", async () => {
    const files = [deletedFile("a.test.ts", "a"), changedFile("a.ts", " a", "+b")];
    expect(await placesOf(deletedTest, files)).toEqual(["file"]);
  });

  it("lets tests pass that went with their subject, were moved, or have none", async () => {
    const files = [deletedFile("a.test.ts", "a"), deletedFile("a.ts", "a")];
    const moved = [deletedFile("src/b.test.ts", "a"), newFile("test/b.test.ts", "a")];
    const others = { "src/b.ts": "code" };
    expect(await placesOf(deletedTest, [...files, ...moved, deletedFile("test/story.test.ts", "a")], others)).toEqual(
      [],
    );
  });

  it("lets other deleted files pass", async () => {
    expect(await placesOf(deletedTest, [deletedFile("src/test.ts", "a")], { "src/a.ts": "" })).toEqual([]);
  });
});
