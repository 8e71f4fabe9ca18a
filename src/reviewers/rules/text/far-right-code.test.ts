import { describe, expect, it } from "vitest";
import { farRightCode } from "#reviewers/rules/text/far-right-code.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const far = " ".repeat(160);

describe("far-right-code", () => {
  it("finds code behind a screenful of blanks, be the line ever so long", async () => {
    const files = [newFile("a.ts", `run();${far}steal();`), newFile("b.sh", `ls${"\t".repeat(5_000)}rm`)];
    expect(await placesOf(farRightCode, files)).toEqual(["1", "1"]);
  });

  it.each([
    ["indentation", "a.ts", `${far}deep();`],
    ["blanks at the end", "a.ts", `run();${far}`],
    ["alignment", "a.ts", `const a = 1;${" ".repeat(60)}// why`],
    ["a table in prose", "a.md", `| a |${far}|`],
  ])("lets %s pass", async (_name, path, line) => {
    expect(await placesOf(farRightCode, [newFile(path, line)])).toEqual([]);
  });
});
