import { describe, expect, it } from "vitest";
import { indexLines } from "#core/diff/line-index.ts";
import { type ChangedFile, makeChangedFile } from "#reviewers/rules/changed-file.ts";
import { aJob, changedFile, parsed } from "#testing/rules-makers.ts";

const diff = parsed(aJob([changedFile("a.ts", " one", "-two", "+2", " three")]));

function make(text: string | null): ChangedFile {
  const [file] = diff.files;
  if (file === undefined) throw new Error("no file");
  return makeChangedFile(indexLines(diff, file), text);
}

describe("a changed file", () => {
  it("has the lines of the whole file, and knows which were added", () => {
    const file = make("one\r\n2\nthree\nfour\n");
    expect(file.lines.map((line) => line.text)).toEqual(["one", "2", "three", "four"]);
    expect(file.added.map((line) => line.number)).toEqual([2]);
    expect(file.added[0]?.before?.text).toBe("one");
    expect(file.added[0]?.after?.after?.text).toBe("four");
  });

  it.each([null, "one\nother\nthree\n", ""])("has those of its hunks where the text is %j", (text) => {
    expect(make(text).lines.map((line) => [line.number, line.text])).toEqual([
      [1, "one"],
      [2, "2"],
      [3, "three"],
    ]);
  });

  it("knows from the text above a hunk that it stands in a comment", () => {
    const hunk = parsed(aJob([changedFile("a.ts", " /*", "+debugger;", " */")]));
    const [file] = hunk.files;
    if (file === undefined) throw new Error("no file");
    expect(makeChangedFile(indexLines(hunk, file), null).added[0]?.code.trim()).toBe("");
  });
});
