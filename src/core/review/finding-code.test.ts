import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlankSnippet, normaliseSnippet, readCodes } from "#core/review/finding-code.ts";
import { aFinding } from "#testing/makers.ts";

const anySnippet = fc.string({ unit: fc.constantFrom("a", "\u00A0", " ", "\t", "\v", "\n", "\r\n"), maxLength: 5 });

describe("the code of a finding", () => {
  it.each([
    ["  if (a)\n\t\treturn b;  \n", "if (a)\nreturn b;"],
    ["if (a)\r\n\r\n  return   b;", "if (a)\nreturn b;"],
    ["if (a)\rreturn b;", "if (a)\nreturn b;"],
  ])("does not depend on its indentation: %j", (snippet, code) => expect(normaliseSnippet(snippet)).toBe(code));

  it.each([
    ["// note\nrun()", "// note run()"],
    ["Run()", "run()"],
    ["a\u00A0b", "a b"],
    ["\u00A0a", "a"],
    ["a\u200Bb", "ab"],
  ])("differs between %j and %j", (left, right) => expect(normaliseSnippet(left)).not.toBe(normaliseSnippet(right)));

  it("has a number that is equal exactly for equal code", () => {
    fc.assert(
      fc.property(fc.array(anySnippet, { maxLength: 8 }), (snippets) => {
        const findings = snippets.map((snippet, index) => aFinding(`f${index}`, { snippet }));
        const codeOf = readCodes(findings);
        for (const left of findings) {
          expect(codeOf(left).text).toBe(normaliseSnippet(left.snippet));
          for (const right of findings) {
            const isEqual = normaliseSnippet(left.snippet) === normaliseSnippet(right.snippet);
            expect(codeOf(left).number === codeOf(right).number).toBe(isEqual);
          }
        }
      }),
    );
  });

  it("is known only for findings that were read", () => {
    expect(() => readCodes([aFinding("a")])(aFinding("b"))).toThrow("not among");
  });
});

it("a snippet is blank exactly if nothing is left of it", () => {
  fc.assert(
    fc.property(anySnippet, (snippet) => {
      expect(isBlankSnippet(snippet)).toBe(normaliseSnippet(snippet) === "");
    }),
  );
});
