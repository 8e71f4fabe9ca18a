import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeBlock, codeSpan, plainLine, plainText } from "#core/words/plain.ts";

describe("plainLine", () => {
  it.each([
    ["two\nlines", "two lines"],
    ["<b>bold</b> & more", "&lt;b>bold&lt;/b> &amp; more"],
    ["![shown](https://example.org/who-looked)", "!\\[shown](https://example.org/who-looked)"],
    ["!![shown](https://example.org/who-looked)", "!!\\[shown](https://example.org/who-looked)"],
    ["use `code` here", "use `code` here"],
    ["one ` too many", "one ' too many"],
    ["```fence", "'''fence"],
    ["left\u202eright\u200e", "leftright"],
    ["tag\u{e0041}chars", "tagchars"],
  ])("makes %j harmless", (from, to) => expect(plainLine(from, 100)).toBe(to));

  it("cuts by whole characters", () => {
    expect(plainLine("abcdef", 4)).toBe("abc…");
    expect(plainLine("ab😀😀", 4)).toBe("ab…");
  });

  it("never opens markup, hides text or breaks the line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (words) => {
        const line = plainLine(words, 200);
        expect(line).not.toMatch(/[<\n\r]|!\[/);
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
