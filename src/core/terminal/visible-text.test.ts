import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, cutLine, visibleJson, visibleLine } from "#core/terminal/visible-text.ts";

/** Any characters, the dangerous ones often. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\u001b",
      "\u009b",
      "\u0007",
      "\r",
      "\n",
      "\u202e",
      "\u200b",
      "\u2028",
      "\u{e0041}",
      "\ufe0f",
      "\ud800",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom("[31m", "]0;title", "漢", "e\u0301"),
  ),
});

describe("visibleLine", () => {
  it.each([
    ["an escape sequence", "a\u001b[2Jb", "a<U+001B>[2Jb"],
    ["the eight-bit form of one", "\u009b31m", "<U+009B>31m"],
    ["a carriage return that would overwrite the line", "evil\rgood", "evil<U+000D>good"],
    ["a line break, so that one line stays one", "a\nb", "a<U+000A>b"],
    ["an override of direction", "\u202egnp.exe", "<U+202E>gnp.exe"],
    ["a space without width", "is\u200bAdmin", "is<U+200B>Admin"],
    ["tags", "x\u{e0041}", "x<U+E0041>"],
    ["half a character", "x\ud83d", "x<U+D83D>"],
    ["a selector that carries data", "x\ufe01", "x<U+FE01>"],
    ["a tab", "\tx", "    x"],
  ])("shows %s", (_name, text, expected) => {
    expect(visibleLine(text)).toBe(expected);
  });

  it.each(["größe", "漢字", "⚠️ careful", "👍", "שלום", "a\u0301"])("leaves %s as it is", (text) => {
    expect(visibleLine(text)).toBe(text);
  });

  it("lets nothing through that a terminal would act upon, and is the same when done twice", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visibleLine(text);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(visibleLine(shown)).toBe(shown);
      }),
    );
  });
});

describe("visibleJson", () => {
  it("says the same to a parser and nothing to a terminal", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = visibleJson({ text });
        expect(json.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});

describe("cutLine", () => {
  it("counts wide characters as two columns and marks as none", () => {
    expect(columnsOf("ab漢字e\u0301👍")).toBe(9);
    expect(cutLine("漢字漢字", 8)).toBe("漢字漢字");
    expect(cutLine("漢字漢字", 7)).toBe("漢字漢…");
  });

  it("never takes more columns than it may, nor more marks than a reader can stand", () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 2, max: 40 }), (text, columnsMax) => {
        const cut = cutLine(visibleLine(text), columnsMax);
        expect(columnsOf(cut)).toBeLessThanOrEqual(columnsMax);
      }),
    );
    expect(cutLine(`e${"\u0301".repeat(10_000)}`, 20).length).toBeLessThan(200);
  });
});
