import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Anchor, type AnchorClaim, type AnchorRange, resolveAnchor } from "#core/diff/anchor.ts";
import { encodeText } from "#core/diff/byte-scan.ts";
import { parseDiff } from "#core/diff/diff.ts";
import { type FileLines, indexLines, lineText } from "#core/diff/line-index.ts";
import { findHunk } from "#core/diff/line-map.ts";

function linesOf(...hunks: readonly string[]): FileLines {
  const text = ["--- a/x", "+++ b/x", ...hunks].map((line) => `${line}\n`).join("");
  const outcome = parseDiff(encodeText(text));
  if (outcome.kind !== "diff") throw new Error(`${outcome.reason} at ${outcome.offset}`);
  const [file] = outcome.diff.files;
  if (file === undefined) throw new Error("no file");
  return indexLines(outcome.diff, file);
}

/** A file that was added as a whole. */
function added(code: readonly string[]): FileLines {
  return linesOf(`@@ -10,0 +1,${code.length} @@`.replace("-10", "-0"), ...code.map((line) => `+${line}`));
}

/** The anchor in one line: how, where, how alike. */
function said(anchor: Anchor): string {
  if (anchor.kind === "not_in_diff") return `not in diff: ${anchor.why}`;
  const { side, startLine, endLine } = anchor.range;
  return `${anchor.kind} ${side} ${startLine}-${endLine} ${anchor.likeness}`;
}

function resolve(lines: FileLines, claim: Partial<AnchorClaim>): string {
  return said(resolveAnchor(lines, { snippet: "", claimedLine: undefined, side: "new", ...claim }));
}

/** Two hunks; the numbers of the new side are in the texts. */
const lines = linesOf(
  "@@ -10,5 +10,6 @@",
  " function ten() {",
  "-  return oldValue;",
  "+  const value = eleven;",
  "+  return value + 12;",
  " }",
  " ",
  " // fifteen",
  "@@ -500,3 +501,4 @@",
  " function ten() {",
  "+\tcall(five, hundred);\r",
  " }",
  " // five hundred and four",
);

describe("a quote", () => {
  it.each<readonly [string, Partial<AnchorClaim>]>([
    ["exact new 12-12 verbatim", { snippet: "  return value + 12;", claimedLine: 12 }],
    ["exact new 11-12 verbatim", { snippet: "  const value = eleven;\n  return value + 12;", claimedLine: 12 }],
    [
      "exact new 10-12 verbatim",
      { snippet: "function ten() {\n  const value = eleven;\n  return value + 12;", claimedLine: 10 },
    ],
    ["moved new 12-12 verbatim", { snippet: "  return value + 12;", claimedLine: 90 }],
    ["moved new 12-12 verbatim", { snippet: "  return value + 12;", claimedLine: undefined }],
    ["moved new 12-12 verbatim", { snippet: "  return value + 12;", claimedLine: Number.NaN }],
  ])("is found verbatim: %s", (expected, claim) => {
    expect(resolve(lines, claim)).toBe(expected);
  });

  it.each<readonly [string, Partial<AnchorClaim>]>([
    ["exact new 12-12 whitespace", { snippet: "return value+12;", claimedLine: 12 }],
    ["exact new 502-502 verbatim", { snippet: "\tcall(five, hundred);", claimedLine: 502 }],
    ["exact new 502-503 whitespace", { snippet: "call(five,  hundred);\r\n  }\r\n", claimedLine: 502 }],
    ["exact new 11-12 whitespace", { snippet: "+ const value = eleven;\n+ return value + 12;", claimedLine: 11 }],
    [
      "exact new 11-12 verbatim",
      { snippet: "-  return oldValue;\n+  const value = eleven;\n+  return value + 12;", claimedLine: 11 },
    ],
    ["exact new 11-12 verbatim", { snippet: "11:   const value = eleven;\n12:   return value + 12;", claimedLine: 11 }],
    ["exact new 13-15 verbatim", { snippet: "\n}\n\n// fifteen\n\n", claimedLine: 13 }],
  ])("is found in spite of whitespace, markers and numbers: %s", (expected, claim) => {
    expect(resolve(lines, claim)).toBe(expected);
  });

  it("is found on the side that has it", () => {
    expect(resolve(lines, { snippet: "  return oldValue;", claimedLine: 11, side: "old" })).toBe(
      "exact old 11-11 verbatim",
    );
    expect(resolve(lines, { snippet: "  return oldValue;", claimedLine: 11, side: "new" })).toBe(
      "moved old 11-11 verbatim",
    );
    expect(resolve(lines, { snippet: "- return oldValue;", claimedLine: 11, side: "new" })).toBe(
      "moved old 11-11 whitespace",
    );
  });

  it("is found as a part of a line, but only near the claim", () => {
    expect(resolve(lines, { snippet: "value + 12", claimedLine: 12 })).toBe("exact new 12-12 part");
    expect(resolve(lines, { snippet: "value + 12", claimedLine: 300 })).toBe("not in diff: no_match");
  });

  it("never spans two hunks", () => {
    expect(resolve(lines, { snippet: "// fifteen\nfunction ten() {", claimedLine: 15 })).toBe("not in diff: no_match");
  });

  it("is not found where there is nothing to find", () => {
    expect(resolve(lines, { snippet: " \n\t\n" })).toBe("not in diff: empty_snippet");
    expect(resolve(lines, { snippet: "x\n".repeat(201) })).toBe("not in diff: snippet_too_long");
    expect(resolve(lines, { snippet: "somewhere else entirely", claimedLine: 11 })).toBe("not in diff: no_match");
    const [renamed] = renamedOnly();
    expect(renamed && resolve(renamed, { snippet: "anything" })).toBe("not in diff: no_lines");
  });

  it("of text that lost bytes is found by the text", () => {
    const bytes = encodeText("--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+na?ve text\n");
    bytes[bytes.indexOf(63)] = 0xef;
    const outcome = parseDiff(bytes);
    const found = outcome.kind === "diff" ? outcome.diff.files.map((file) => indexLines(outcome.diff, file)) : [];
    expect(found.map((file) => resolve(file, { snippet: "na\uFFFDve text", claimedLine: 1 }))).toEqual([
      "exact new 1-1 verbatim",
    ]);
  });
});

function renamedOnly(): readonly FileLines[] {
  const outcome = parseDiff(encodeText("diff --git a/x b/y\nrename from x\nrename to y\n"));
  return outcome.kind === "diff" ? outcome.diff.files.map((file) => indexLines(outcome.diff, file)) : [];
}

describe("a quote that several places hold", () => {
  it("the nearest to the claim is taken", () => {
    expect(resolve(lines, { snippet: "function ten() {", claimedLine: 12 })).toBe("moved new 10-10 verbatim");
    expect(resolve(lines, { snippet: "function ten() {", claimedLine: 400 })).toBe("moved new 501-501 verbatim");
  });

  it("a near one that differs in whitespace comes before a verbatim one far away", () => {
    const code = ["  same(code);", ...Array.from({ length: 50 }, (_, index) => `line ${index}`), "same(code);"];
    expect(resolve(added(code), { snippet: "same(code);", claimedLine: 1 })).toBe("exact new 1-1 whitespace");
    expect(resolve(added(code), { snippet: "same(code);", claimedLine: 30 })).toBe("moved new 52-52 verbatim");
  });

  it("no place far from the claimed line is taken", () => {
    expect(resolve(lines, { snippet: "function ten() {", claimedLine: 9000 })).toBe("not in diff: ambiguous");
    expect(resolve(lines, { snippet: "function ten() {" })).toBe("not in diff: ambiguous");
  });

  it("a brace is taken only next to the claim", () => {
    expect(resolve(lines, { snippet: "}", claimedLine: 12 })).toBe("moved new 13-13 verbatim");
    expect(resolve(lines, { snippet: "}", claimedLine: 20 })).toBe("not in diff: ambiguous");
  });
});

it("a quote from a diff is found at the place that it was taken from, however it was quoted", () => {
  const line = fc.constantFrom("alpha();", "  beta(1);", "\tgamma = 2;", "}", "", "delta: 3", "- item four");
  const manners = fc.constantFrom<(code: string, number: number) => string>(
    (code) => code,
    (code) => `+${code}`,
    (code) => `  ${code}`,
    (code) => code.trimStart(),
    (code) => `${code}\r`,
    (code, number) => `${number}: ${code}`,
    (code, number) => `${number} | +${code}`,
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.nat(),
      fc.nat(4),
      manners,
      (code, from, more, manner) => {
        const start = from % code.length;
        const end = Math.min(code.length - 1, start + more);
        const quoted = code.slice(start, end + 1);
        fc.pre(quoted[0]?.trim() !== "" && quoted.at(-1)?.trim() !== "");
        const snippet = quoted.map((text, index) => manner(text, start + index + 1)).join("\n");
        expect(resolve(added(code), { snippet, claimedLine: start + 1 })).toContain(
          `exact new ${start + 1}-${end + 1} `,
        );
      },
    ),
    { numRuns: 300 },
  );
});

it("any quote is placed on lines of one hunk, or nowhere", () => {
  const shown = Array.from({ length: lines.length }, (_, index) => lineText(lines, index));
  const quoted = fc.array(fc.constantFrom(...shown), { maxLength: 4 }).map((texts) => texts.join("\n"));
  const snippets = fc.oneof(quoted, fc.string({ unit: "grapheme" }));
  const sides = fc.constantFrom("old", "new");
  fc.assert(
    fc.property(snippets, fc.integer({ min: -5, max: 600 }), sides, (snippet, claimedLine, side) => {
      const anchor = resolveAnchor(lines, { snippet, claimedLine, side });
      expect(anchor.kind === "not_in_diff" || isShownTogether(anchor.range)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function isShownTogether({ side, startLine, endLine }: AnchorRange): boolean {
  const hunk = findHunk(lines.hunks, { side, line: startLine });
  return startLine <= endLine && hunk !== undefined && hunk === findHunk(lines.hunks, { side, line: endLine });
}
