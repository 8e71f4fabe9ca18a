import { describe, expect, it } from "vitest";
import { hiddenUnicode } from "#reviewers/rules/text/hidden-unicode.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("hidden-unicode", () => {
  it.each([
    ["an override in a comment", "a.ts", "// \u202E } \u2066if (isAdmin)\u2069", "1", "//  } if (isAdmin)"],
    ["tags", "a.md", "Hello\u{E0041}\u{E0042}", "1", "Hello"],
    ["a space without width in a name", "a.ts", "const is\u200BAdmin = 1;", "1 score 7", "const isAdmin = 1;"],
    ["a joiner between ASCII letters", "a.py", "is\u200Dadmin = 1", "1 score 7", "isadmin = 1"],
    ["a filler that is a letter", "a.js", "const \u3164 = 1;", "1 score 7", "const  = 1;"],
    ["one in a string, without a fix", "a.ts", 'const a = "x\u2060y";', "1 score 7", null],
    ["one in prose, without a fix", "a.md", "a\u200Bb", "1 score 7", null],
  ])("finds %s", async (_name, path, line, place, suggestion) => {
    expect(await placesOf(hiddenUnicode, [newFile(path, line)])).toEqual([place]);
    const [finding] = await findingsOf(hiddenUnicode, [newFile(path, line)]);
    expect(finding?.suggestion).toBe(suggestion);
  });

  it("names the characters instead of showing them", async () => {
    const [finding] = await findingsOf(hiddenUnicode, [newFile("a.ts", "a\u202Eb\u200Bc")]);
    expect(finding?.message).toContain("(U+202E and U+200B)");
    expect(finding?.message).not.toMatch(/[\u202E\u200B]/);
  });

  it.each([
    ["a byte order mark", "a.ts", "\uFEFFimport a;"],
    ["code that takes byte order marks away", "a.ts", "text.replace(/^\uFEFF/, '')"],
    ["a family of emoji", "a.ts", 'const family = "👩\u200D👩\u200D👧";'],
    ["the flag of Scotland", "a.md", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
    ["Persian with its joiner", "fa.json", '"a": "می\u200Cخواهم"'],
    ["Thai with its breaks", "th.json", '"a": "ภาษา\u200Bไทย"'],
    ["Hebrew with its controls in a translation", "he.json", '"a": "\u2067שלום\u2069"'],
    ["a soft hyphen and a mark of direction", "a.md", "Donau\u00ADdampf\u200E"],
    ["umlauts", "a.ts", "const größe = 1;"],
  ])("lets %s pass", async (_name, path, line) => {
    expect(await placesOf(hiddenUnicode, [newFile(path, line)])).toEqual([]);
  });
});
