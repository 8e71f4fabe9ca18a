import { describe, expect, it } from "vitest";
import { hugeAddition } from "#reviewers/rules/files/huge-addition.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const lines = (count: number, text = "a();"): readonly string[] => Array.from({ length: count }, () => text);

describe("huge-addition", () => {
  it("finds code of more than 3,000 lines and text of more than a mebibyte", async () => {
    const files = [newFile("src/a.ts", ...lines(3_001)), newFile("data/b.csv", ...lines(1_100, "x".repeat(1_000)))];
    expect(await placesOf(hugeAddition, files)).toEqual(["file", "file"]);
  });

  it.each(["src/a.ts", "data/b.csv"])("lets 3,000 short lines of %s pass", async (path) => {
    expect(await placesOf(hugeAddition, [newFile(path, ...lines(3_000))])).toEqual([]);
  });

  it.each(["src/a.test.ts", "vendor/a.go", "a.pb.go", "yarn.lock", "dist/a.js"])("lets %s pass", async (path) => {
    expect(await placesOf(hugeAddition, [newFile(path, ...lines(3_001))])).toEqual([]);
  });
});
