import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RawFinding } from "#core/model/finding.ts";
import { readCodes } from "#core/review/finding-code.ts";
import { codeKey, codeNumberKey, findingIdentity, identifyFindings } from "#core/review/finding-identity.ts";
import { aFinding } from "#testing/makers.ts";

function at(line: number, over: Partial<RawFinding> = {}): RawFinding {
  return aFinding("-", { lines: { first: line, last: line }, ...over });
}

/** Snippets of few letters, so that equal code and equal code but for blanks both come up. */
const anySnippet = fc.string({ unit: fc.constantFrom("a", "B", "(", " ", "\t", "\n", "\r\n"), maxLength: 8 });
const anyFinding = fc
  .record({ snippet: anySnippet, rule: fc.constantFrom("r", "s"), line: fc.integer({ min: 1, max: 90 }) })
  .map(({ line, ...over }) => at(line, over));

describe("the identity of a finding", () => {
  it("does not know the line, the words or the score", () => {
    const moved = at(70, { message: "Something else.", score: 3, role: "security" });
    expect(identifyFindings([moved])).toEqual(identifyFindings([at(3)]));
  });

  it.each<[string, Partial<RawFinding>]>([
    ["rule", { rule: "debug-leftover" }],
    ["path", { path: "src/other.ts" }],
    ["side", { side: "old" }],
    ["code", { snippet: 'const KEY = "hunter2";' }],
  ])("differs by %s", (_part, over) => {
    expect(identifyFindings([at(3, over)])).not.toEqual(identifyFindings([at(3)]));
  });

  it("does not mistake the end of one part for the start of the next", () => {
    const rule = '","';
    expect(codeKey(at(1, { rule: "a", path: "b c" }))).not.toBe(codeKey(at(1, { rule: "a b", path: "c" })));
    expect(codeKey(at(1, { rule: `a${rule}b`, path: "c" }))).not.toBe(codeKey(at(1, { rule: "a", path: `b${rule}c` })));
  });

  it("is of the whole code, while findings that are read together are told apart by keys that stay short", () => {
    const long = "run();".repeat(50_000);
    const [one, other, same] = [
      at(1, { snippet: long }),
      at(1, { snippet: `${long}x` }),
      at(9, { snippet: ` ${long}` }),
    ];
    expect(findingIdentity(one, 0)).not.toBe(findingIdentity(other, 0));
    const codeOf = readCodes([one, other, same]);
    const keys = [one, other, same].map((finding) => codeNumberKey(finding, codeOf));
    expect(keys[0]).toBe(keys[2]);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys.every((key) => key.length < 100)).toBe(true);
    expect(codeNumberKey(one, codeOf, "src/old.ts")).not.toBe(keys[0]);
  });

  it("keeps lone surrogates apart, which have one and the same form in UTF-8", () => {
    expect(findingIdentity(at(1, { snippet: "\ud800" }), 0)).not.toBe(findingIdentity(at(1, { snippet: "\ud801" }), 0));
  });

  it("stays as it was written into the state blocks of earlier versions", () => {
    expect(findingIdentity(at(3), 0)).toBe("4495c014df6fc0c1761abe565eebeef57a55147665b4f51a1f1bd2218513b184");
  });

  it("allows findings on a whole file", () => {
    const [first, second] = identifyFindings([at(1, { snippet: "" }), at(1, { snippet: " \n" })]);
    expect(first).not.toBe(second);
  });

  it("counts equal places from the top, whatever the order of the reports", () => {
    const [upper, lower] = identifyFindings([at(10), at(50)]);
    expect(identifyFindings([at(55), at(11), at(5, { rule: "other" })]).slice(0, 2)).toEqual([lower, upper]);
  });

  it("leaves the remaining place a known identity when one of two is fixed", () => {
    const both = identifyFindings([at(10), at(50)]);
    expect(both).toContain(identifyFindings([at(50)])[0]);
  });

  it("passes over identities that are taken", () => {
    const both = identifyFindings([at(10), at(50)]);
    const [third] = identifyFindings([at(30)], new Set(both));
    expect(both).not.toContain(third);
  });

  it("is unique among any findings", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 12 }), (findings) => {
        expect(new Set(identifyFindings(findings)).size).toBe(findings.length);
      }),
    );
  });

  it("stays when the code is moved and indented", () => {
    const anyFindings = fc.uniqueArray(anyFinding, { maxLength: 12, selector: ({ lines }) => lines.first });
    const anyIndent = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 4 });
    fc.assert(
      fc.property(anyFindings, fc.nat(500), anyIndent, (findings, down, indent) => {
        const moved = findings.map((finding) => ({
          ...finding,
          snippet: `${indent}${finding.snippet.replaceAll("\n", `\n${indent}`)}${indent}`,
          lines: { first: finding.lines.first + down, last: finding.lines.last + down },
        }));
        expect(identifyFindings(moved)).toEqual(identifyFindings(findings));
      }),
    );
  });

  it("does not depend on other findings that come or go", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 10 }), fc.array(anyFinding, { maxLength: 10 }), (some, others) => {
        const codes = new Set(some.map(codeKey));
        const unrelated = others.filter((other) => !codes.has(codeKey(other)));
        expect(identifyFindings([...unrelated, ...some]).slice(unrelated.length)).toEqual(identifyFindings(some));
      }),
    );
  });
});
