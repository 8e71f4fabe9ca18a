import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CaseFile } from "#core/eval/case-file.ts";
import { locateCase } from "#core/eval/locate-case.ts";
import { changedFileDiff } from "#testing/eval-makers.ts";

const diff = changedFileDiff("src/a.ts", [
  "const first = 1;",
  "-const gone = 2;",
  "+const second = 2;",
  "+const second = 2;",
  "const third = 3;",
]);

function place(entry: object) {
  const file = CaseFile.parse({
    title: "T",
    tags: ["logic"],
    findings: [{ path: "src/a.ts", what: "Wrong.", tags: ["async", "logic"], ...entry }],
  });
  return locateCase("a-case", file, diff);
}

describe("the place of an expected finding", () => {
  it.each([
    [{ lines: 4 }, { side: "new", lines: { first: 4, last: 4 }, rows: { first: 4, last: 4 } }, "const third = 3;"],
    [{ code: "const third = 3;" }, { side: "new", lines: { first: 4, last: 4 } }, "const third = 3;"],
    [{ lines: 2, side: "old" }, { side: "old", rows: { first: 1, last: 1 } }, "const gone = 2;"],
    [{ code: "const gone = 2;", side: "old" }, { side: "old", lines: { first: 2, last: 2 } }, "const gone = 2;"],
    [{}, { kind: "file" }, ""],
  ])("is found in the diff (case %#)", (entry, expected, code) => {
    expect(place(entry)).toMatchObject({ kind: "placed", case: { expected: [{ place: expected, code }] } });
  });

  it.each([
    [{ path: "src/b.ts" }, 'findings.0: the change has no file "src/b.ts". It has: src/a.ts.'],
    [{ lines: 9 }, "findings.0: the diff does not show line 9 of src/a.ts after the change."],
    [{ code: "const fourth = 4;" }, "findings.0: the code is not in the diff of src/a.ts."],
    [{ code: "const second = 2;" }, "findings.0: the code is in src/a.ts more than once."],
    [{ code: "const gone = 2;" }, "findings.0: the code is only there before the change: say `side: old`."],
  ])("that is not there is refused, with what to do (case %#)", (entry, words) => {
    expect(place(entry)).toEqual({ kind: "wrong", problems: [expect.stringContaining(words)] });
  });

  it("has the tags of its case as well, each once", () => {
    expect(place({})).toMatchObject({ case: { tags: ["logic"], expected: [{ tags: ["logic", "async"] }] } });
  });

  it("is said of everything that is wrong at once", () => {
    const file = CaseFile.parse({
      title: "T",
      findings: [
        { path: "x", what: "W." },
        { path: "y", what: "W." },
      ],
      mayAlsoFind: [{ path: "z" }],
    });
    expect(locateCase("a-case", file, diff)).toMatchObject({
      kind: "wrong",
      problems: [
        expect.stringMatching(/^findings\.0/),
        expect.stringMatching(/^findings\.1/),
        expect.stringMatching(/^mayAlsoFind\.0/),
      ],
    });
  });
});

/** Lines that no other is a part of, some of them added, some removed. */
const changes = fc.array(fc.constantFrom("", "+", "-"), { minLength: 1, maxLength: 30 });

describe("quoting lines of a change", () => {
  it("leads to these lines, on the side that has them", () => {
    fc.assert(
      fc.property(changes, fc.nat(), fc.constantFrom("old", "new"), (signs, pick, side) => {
        const other = side === "new" ? "-" : "+";
        const lines = signs.map((sign, index) => `${sign}const value${index}x = ${index};`);
        const own = lines.filter((line) => !line.startsWith(other)).map((line) => line.replace(/^[-+]/, ""));
        fc.pre(own.length > 0 && signs.some((sign) => sign !== ""));
        const first = pick % own.length;
        const last = Math.min(own.length - 1, first + (pick % 3));
        const code = own.slice(first, last + 1).join("\n");
        const file = CaseFile.parse({ title: "T", findings: [{ path: "src/a.ts", what: "W.", code, side }] });
        expect(locateCase("a-case", file, changedFileDiff("src/a.ts", lines))).toMatchObject({
          kind: "placed",
          case: { expected: [{ code, place: { side, lines: { first: first + 1, last: last + 1 } } }] },
        });
      }),
    );
  });
});
