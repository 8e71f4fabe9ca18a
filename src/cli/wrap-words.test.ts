import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapWords } from "#cli/wrap-words.ts";

describe("wrapping", () => {
  it("breaks between words, and keeps the margin", () => {
    expect(wrapWords("  one two three", 9)).toEqual(["  one two", "  three"]);
  });

  it("hangs the rest of a list item under its words", () => {
    expect(wrapWords("- one two", 6)).toEqual(["- one", "  two"]);
  });

  it("keeps blanks that align something within a line", () => {
    expect(wrapWords("gate      pending", 40)).toEqual(["gate      pending"]);
  });

  it("loses no word, and exceeds the columns only for a word that is longer", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (some, columns) => {
        const lines = wrapWords(some.join(" "), columns);
        expect(lines.join(" ")).toBe(some.join(" "));
        for (const line of lines) expect(line.length <= columns || !line.includes(" ")).toBe(true);
      }),
    );
  });
});
