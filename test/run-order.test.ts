import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runFirst, runRank } from "./run-order.ts";

function ordered(...paths: readonly string[]): readonly string[] {
  return paths.toSorted((left, right) => runRank(left) - runRank(right));
}

describe("the order of a run", () => {
  it("has files that start programs before those that make a worker large", () => {
    expect(ordered("test/database/migrate.test.ts", "src/core/diff/diff.test.ts", "test/run/run.test.ts")).toEqual([
      "test/run/run.test.ts",
      "test/database/migrate.test.ts",
      "src/core/diff/diff.test.ts",
    ]);
  });

  it("begins with what takes longest, where nothing starts programs", () => {
    expect(ordered("test/contract/forge/stale.test.ts", "test/contract/forge/write-trouble.test.ts")).toEqual([
      "test/contract/forge/write-trouble.test.ts",
      "test/contract/forge/stale.test.ts",
    ]);
  });

  it("names folders and files that are there", () => {
    expect(runFirst.filter((path) => !existsSync(path))).toEqual([]);
  });
});
