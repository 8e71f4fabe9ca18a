import { expect, it } from "vitest";
import { pageLines } from "#app/demo/narrator.ts";

it("the lines of a page leave out its mark-up and what it does not show", () => {
  const page = [
    "<!-- drover:managed 00 -->",
    "### Drover",
    "",
    "Head `abc`: it is the turn of **Drover** &amp; &lt;others>.",
    "",
    "<details><summary>Notes</summary>",
    "",
    "hidden",
    "</details>",
  ].join("\n");
  expect(pageLines(page)).toEqual(["Drover", "Head abc: it is the turn of Drover & <others>."]);
});

it("the lines of a table are its cells below each other, without the heading", () => {
  const page =
    "Before\n\n| | condition | state |\n| --- | --- | --- |\n| ✅ | Ready | a \\| b |\n| ⏳ | No hold | c |\n\nAfter";
  expect(pageLines(page)).toEqual(["Before", "✅  Ready    a | b", "⏳  No hold  c", "After"]);
});

it("an empty page has no lines", () => {
  expect(pageLines("<!-- nothing -->\n")).toEqual([]);
});
