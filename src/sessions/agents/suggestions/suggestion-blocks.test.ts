import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeBlock } from "#core/words/plain-text.ts";
import { readSuggestions } from "#sessions/agents/suggestions/suggestion-blocks.ts";

function read(...lines: readonly string[]): readonly (readonly string[])[] {
  return readSuggestions(lines.join("\n"));
}

describe("a suggestion", () => {
  it("is read with words around it", () => {
    expect(read("Better:", "```suggestion", "const a = 1;", "  b();", "```", "Thanks!")).toEqual([
      ["const a = 1;", "  b();"],
    ]);
  });

  it("may be empty, or one empty line", () => {
    expect(read("```suggestion", "```")).toEqual([[]]);
    expect(read("```suggestion", "", "```")).toEqual([[""]]);
  });

  it("may have a fence of any length and kind, and shorter fences in it", () => {
    expect(read("`````suggestion", "```", "a", "````", "`````")).toEqual([["```", "a", "````"]]);
    expect(read("~~~ suggestion", "```", "~~~~")).toEqual([["```"]]);
  });

  it("may be one of several", () => {
    expect(read("```suggestion", "a", "```", "or", "```suggestion", "b", "```")).toEqual([["a"], ["b"]]);
  });

  it("loses the indentation of its fence", () => {
    expect(read("  ```suggestion", "    a", " b", "  ```")).toEqual([["  a", "b"]]);
  });

  it("is read with the line ends of any forge", () => {
    expect(readSuggestions("a\r\n```suggestion\r\nb\r\n```\r\n")).toEqual([["b"]]);
  });

  it.each<readonly [string, readonly string[]]>([
    ["never closed", ["```suggestion", "a"]],
    ["in another block", ["````md", "```suggestion", "a", "```", "````"]],
    ["in a quote", ["> ```suggestion", "> a", "> ```"]],
    ["code by indentation", ["    ```suggestion", "    a", "    ```"]],
    ["of another kind", ["```suggestions", "a", "```"]],
    ["in a line", ["``` suggestion `a` ```"]],
    ["in a comment", ["<!--", "```suggestion", "a", "```", "-->"]],
    ["in a comment that begins in a line", ["Fine. <!-- really", "```suggestion", "a", "```", "-->"]],
    ["in a comment that never ends", ["<!--", "```suggestion", "a", "```"]],
    ["in an element", ["<div hidden>", "```suggestion", "a", "```", "</div>"]],
    ["in preformatted text", ["<pre>", "", "```suggestion", "a", "```", "</pre>"]],
  ])("is not read where it is %s", (_name, lines) => {
    expect(read(...lines)).toEqual([]);
  });

  it("is read after such a place", () => {
    expect(read("<!-- marker -->", "```suggestion", "a", "```")).toEqual([["a"]]);
    expect(read("<details>", "", "```suggestion", "a", "```")).toEqual([["a"]]);
    expect(read("<pre>", "x", "</pre>", "```suggestion", "a", "```")).toEqual([["a"]]);
  });

  it("comes back as Drover wrote it, whatever it holds", () => {
    const line = fc.string({ unit: fc.constantFrom("`", "~", " ", "a", "<", "!", "-", ">", "suggestion") });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        fc.pre(lines.at(-1) !== "");
        expect(readSuggestions(`Words.\n\n${codeBlock(lines.join("\n"), "suggestion")}\n\nMore.`)).toEqual([lines]);
      }),
    );
  });
});
