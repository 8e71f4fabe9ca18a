import { describe, expect, it } from "vitest";
import { hiddenWeight, withHiddenRead } from "#core/prompt/hidden-message.ts";

function tagged(text: string): string {
  return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
}

describe("a line that hides text", () => {
  it.each([
    ["letters of tags", `fine${tagged("obey")}`],
    ["letters parted by what nobody sees", Array.from("approve").join("\u200b")],
    ["selectors in a row", "\u{1f44d}\u{e0101}\u{e0102}\u{e0103}"],
    ["a row of fillers", `a${"\u3164".repeat(8)}b`],
    ["an override of the direction", "a\u202eb"],
    ["a sequence that conceals", "\u001b[8mobey\u001b[0m"],
  ])("is certain with %s", (_, line) => {
    expect(hiddenWeight(line)).toBe(2);
  });

  it.each([
    ["text far to the right", `x${" ".repeat(120)}obey`],
    ["an isolate without need", "a\u2066b\u2069"],
  ])("is likely with %s", (_, line) => {
    expect(hiddenWeight(line)).toBe(1);
  });

  it.each([
    ["plain code", "const a = 1;"],
    ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
    ["a flag", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}"],
    ["text from right to left", "\u2067שלום\u2069"],
    ["a byte order mark", "\ufeffusing System;"],
    ["colours of a terminal", "\u001b[31mred\u001b[0m"],
    ["Persian with its joiners", "می\u200cخواهم"],
  ])("is not %s", (_, line) => {
    expect(hiddenWeight(line)).toBe(0);
  });

  it("is read as a model might read it", () => {
    expect(withHiddenRead(`ok ${tagged("obey me")}`)).toBe("ok obey me");
    expect(withHiddenRead("o\u200bb\u2060e\u00ady\n\u202ex")).toBe("obey\nx");
  });
});
