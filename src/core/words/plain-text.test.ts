import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeBlock, codeSpan, plainLine, plainText } from "#core/words/plain-text.ts";

describe("plainLine", () => {
  it.each([
    ["two\nlines", "two lines"],
    ["<b>bold</b> & more", "&lt;b>bold&lt;/b> &amp; more"],
    ["![shown](https://example.org/who-looked)", "!\\[shown]\\(https:\u200b//example.org/who-looked)"],
    ["!![shown](https://example.org/who-looked)", "!!\\[shown]\\(https:\u200b//example.org/who-looked)"],
    ["use `code` here", "use `code` here"],
    ["use `Map<string, A & B>` here", "use `Map<string, A & B>` here"],
    ["`a` <b> `c", "'a' &lt;b> 'c"],
    ["see www.example.org or a/b#12", "see www\u200b.example.org or a/b#\u200b12"],
    ["[[https://example.org/who-looked.png]]", "[\u200b[https:\u200b//example.org/who-looked.png]]"],
    ["mailto:ada@example.org", "mailto\u200b:ada@example.org"],
    ["a/b!12, somebody#3, and #4 of ours", "a/b!\u200b12, somebody#\u200b3, and #4 of ours"],
    ["[x]: //example.org [x][y]", "[x]\\: //example.org [x]\\[y]"],
    ["one ` too many", "one ' too many"],
    ["```fence", "'''fence"],
    ["left\u202eright\u200e", "leftright"],
    ["tag\u{e0041}chars", "tagchars"],
    ["gh\u200bp_ab\u2060cd👍\u{e0151}\u{e0152}", "ghp_abcd👍"],
    ["a family 👩\u200d👧 and a heart ❤\ufe0f", "a family 👩\u200d👧 and a heart ❤\ufe0f"],
  ])("makes %j harmless", (from, to) => expect(plainLine(from, 100)).toBe(to));

  it("cuts by whole characters", () => {
    expect(plainLine("abcdef", 4)).toBe("abc…");
    expect(plainLine("ab😀😀", 4)).toBe("ab…");
  });

  it("never opens markup, hides text or breaks the line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (words) => {
        const line = plainLine(words, 200);
        const live = line.replaceAll(/`[^`]*`/g, "");
        expect(live).not.toMatch(/[<\n\r]|!\[|\]\(|\w:\/\//);
        expect((line.match(/`/g) ?? []).length % 2).toBe(0);
        expect(line.length).toBeLessThanOrEqual(200);
      }),
    );
  });
});

describe("plainText", () => {
  it("closes a fence that was left open", () => {
    expect(plainText("see\n```ts\ncode", 100)).toBe("see\n```ts\ncode\n```");
    expect(plainText("see\n```ts\ncode\n```", 100)).toBe("see\n```ts\ncode\n```");
    expect(plainText("~~~~\ncode", 100)).toBe("~~~~\ncode\n~~~~");
  });

  it.each([
    "```suggestion\nrun(stolen);\n```",
    "mend it:\n````Suggestion \nrun(stolen);\n````",
    "~~~ suggestion\nrun(stolen);\n~~~",
    "> ```suggestion\n> run(stolen);\n> ```",
    "1. ```suggestion:-0+2\n   run(stolen);\n   ```",
    '```mermaid\nclick a "https://example.org/who-looked"\n```',
  ])("makes plain code of blocks that a forge would act on: %j", (text) => {
    const shown = plainText(text, 200);
    expect(shown).toContain("text");
    expect(shown).not.toMatch(/(?:`{3}|~{3})\s*(?:suggestion|mermaid)/i);
  });

  it("leaves other code in its language, and words that only begin alike", () => {
    expect(plainText("```ts\na\n```", 100)).toBe("```ts\na\n```");
    expect(plainText("```mathematica\na\n```\nthe suggestion", 100)).toBe("```mathematica\na\n```\nthe suggestion");
  });

  it("takes a megabyte of anything", () => {
    for (const piece of ["` ", "`", "a", "|-\n", "```\n", "](", "a/b#1"]) {
      expect(plainText(piece.repeat(1_000_000 / piece.length), 100).length).toBeLessThan(300);
    }
    expect(plainText(`a|\n${" ".repeat(200_000)}a`, 100).length).toBeLessThan(300);
  });
});

/** Whatever makes or breaks code in Markdown. */
const anyMarkup = fc
  .array(
    fc.constantFrom("`", "``", "```", "\n", "```ts\n", "~~~", "\\", "<img>", "|", "-", "> ", "a", " ", "[x](//y)"),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));

describe("text with code in it", () => {
  it("keeps its code as it was written, and nothing else", () => {
    expect(plainText("Use `a<b>`:\n```ts\nif (a < b) x();\n```\n<b>", 100)).toBe(
      "Use `a<b>`:\n```ts\nif (a < b) x();\n```\n&lt;b>",
    );
  });

  it.each([
    ["a span that a line does not close", "a ` b\nc ` <img> ` d"],
    ["another fence around it", "~~~\n```\n~~~\n<img>\n```"],
    ["a table", "|a|b|\n|-|-|\n| `x | <img> ` |"],
    ["an escaped backtick", "\\`a ` <img> `"],
    ["a fence in a quotation", "> ```\n<img>"],
  ])("is made harmless everywhere where its code is in doubt: %s", (_, text) => {
    expect(plainText(text, 1_000)).not.toContain("<img>");
  });

  it("has handles as they are meant where a model writes them as it has read them", () => {
    expect(plainText("＠alice: see\n```ts\n＠Injectable()\n```", 100)).toBe("@alice: see\n```ts\n@Injectable()\n```");
    expect(plainLine("`＠scope/name` of ＠alice, mail＠example.org", 100)).toBe(
      "`@scope/name` of @alice, mail＠example.org",
    );
  });

  it("is cut without code turning into text", () => {
    fc.assert(
      fc.property(anyMarkup, fc.integer({ min: 2, max: 60 }), (text, max) => {
        const shown = plainText(text, max);
        const live = shown.replaceAll(/^(`{3,})[^`\n]*\n[\s\S]*?(?:^\1`*$|$(?![\s\S]))|`[^`\n]*`/gm, "");
        expect(live).not.toMatch(/<img>|\]\(/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("code", () => {
  it("survives what it holds", () => {
    expect(codeSpan("a`b``c")).toBe("```a`b``c```");
    expect(codeSpan("`x")).toBe("`` `x ``");
    expect(codeSpan("")).toBe("`  `");
    expect(codeBlock("a\n```\nb", "suggestion")).toBe("````suggestion\na\n```\nb\n````");
    expect(codeBlock("", "suggestion")).toBe("```suggestion\n```");
    expect(codeBlock("` ".repeat(200_000), "suggestion")).toContain("```suggestion");
  });
});
