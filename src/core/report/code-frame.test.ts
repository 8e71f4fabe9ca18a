import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { parseDiff } from "#core/diff/diff.ts";
import { makeFrames } from "#core/report/code-frame.ts";
import { addedFiles, aReportFinding } from "#testing/report-makers.ts";

const numbered = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const diff = addedFiles({ "src/loud.ts": numbered, "other.ts": ["x"] });

function numbersOf(first: number, last: number): readonly number[] {
  return makeFrames(diff, [])(aReportFinding({ lines: { first, last } })).map(({ number }) => number);
}

describe("the frame of a finding", () => {
  it("has two lines before and two after it, as far as there are any", () => {
    expect(numbersOf(10, 11)).toEqual([8, 9, 10, 11, 12, 13]);
    expect(numbersOf(1, 1)).toEqual([1, 2, 3]);
    expect(numbersOf(40, 40)).toEqual([38, 39, 40]);
  });

  it("marks exactly the lines that it is about", () => {
    const frame = makeFrames(diff, [])(aReportFinding({ lines: { first: 10, last: 11 } }));
    expect(frame.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(["line 10", "line 11"]);
  });

  it("shows the beginning and the end of a long range", () => {
    expect(numbersOf(5, 35)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 34, 35, 36, 37]);
  });

  it("is empty for a whole file, an unknown file, and lines that the diff does not show", () => {
    const frames = makeFrames(diff, []);
    expect(frames(aReportFinding({ snippet: "" }))).toEqual([]);
    expect(frames(aReportFinding({ path: "nowhere.ts" }))).toEqual([]);
    expect(frames(aReportFinding({ lines: { first: 900, last: 900 } }))).toEqual([]);
  });

  it("counts the lines of the side that it is on, without carriage returns", () => {
    const text = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -7,3 +7,2 @@\n one\r\n-two\n-three\n+four\n";
    const parsed = parseDiff(encodeText(text));
    if (parsed.kind !== "diff") throw new Error(parsed.reason);
    const frames = makeFrames(parsed.diff, []);
    const at = (side: "old" | "new") =>
      frames(aReportFinding({ path: "a.ts", side, lines: { first: 8, last: 8 } })).map(
        (line) => `${line.isMarked ? ">" : " "}${line.number} ${line.text}`,
      );
    expect(at("old")).toEqual([" 7 one", ">8 two", " 9 three"]);
    expect(at("new")).toEqual([" 7 one", ">8 four"]);
  });
});

describe("a file with a secret", () => {
  const secretLines = ["const a = 1;", 'const key = "ghp_abcdsecretsecret";', "debugger;", "-----END-----"];
  const secretDiff = addedFiles({ "src/loud.ts": secretLines, "other.ts": ["one", "two", "three"] });
  const secret = aReportFinding({ rule: "leaked-secret", snippet: 'const key = "ghp_abcd' });
  const frames = makeFrames(secretDiff, [secret]);

  it("is shown by what may be quoted of it, without the lines around it", () => {
    expect(frames(secret)).toEqual([{ number: 2, text: 'const key = "ghp_abcd…', isMarked: true }]);
  });

  it("stays out of the frames of other findings", () => {
    const shown = frames(aReportFinding({ lines: { first: 3, last: 3 }, snippet: "debugger;" }));
    expect(shown).toEqual([{ number: 3, text: "debugger;", isMarked: true }]);
    const across = frames(aReportFinding({ lines: { first: 1, last: 3 }, snippet: "const a = 1;" }));
    expect(JSON.stringify(across)).not.toContain("secretsecret");
  });

  it("changes nothing for other files", () => {
    expect(frames(aReportFinding({ path: "other.ts", snippet: "two" })).map(({ text }) => text)).toEqual([
      "one",
      "two",
      "three",
    ]);
  });

  it("shows nothing of a file that is one as a whole", () => {
    const whole = makeFrames(secretDiff, [aReportFinding({ rule: "leaked-secret", snippet: "" })]);
    expect(whole(aReportFinding({ lines: { first: 3, last: 3 } }))).toEqual([]);
  });
});
