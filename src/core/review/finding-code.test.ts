import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  containsCode,
  isBlankSnippet,
  normaliseSnippet,
  readCodes,
  toSearchableText,
} from "#core/review/finding-code.ts";
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

describe("code that was quoted", () => {
  it.each([
    ["if(a==b) run(x)", "function f() {\n  if (a == b) run(x)\n}\n"],
    ["if(a==b) run(x)", "if (a == b)\n    run( x )\n"],
    ["save(order,{force:true})", "save(order, {\n  force: true\n})\n"],
    ["a=b", "\ta = b;\n"],
    ["return  x", "return x;"],
    ["x\n\ty", "x\ny"],
  ])("still stands after a formatter: %j", (code, text) => {
    expect(containsCode(code, toSearchableText(text))).toBe(true);
  });

  it.each([
    ["if(a==b) run(x)", "if (a === b) run(x)\n"],
    ["a=b", "data = bytes;\n"],
    ["a = b", "a == b;\n"],
    ["return x", "returnx;\n"],
    ["else run()", "elserun()\n"],
    ["run(x)", "walk(x)\n"],
  ])("is gone where other code stands: %j", (code, text) => {
    expect(containsCode(code, toSearchableText(text))).toBe(false);
  });
});
