import { expect, it } from "vitest";
import { pageLines } from "#app/demo/page-lines.ts";

it("leaves out what a page does not show, and the marks of what it does", () => {
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

it("puts the cells of a table below each other, without its heading", () => {
  const page =
    "Before\n\n| | condition | state |\n| --- | --- | --- |\n| ✅ | Ready | a \\| b |\n| ⏳ | No hold | c |\n\nAfter";
  expect(pageLines(page)).toEqual(["Before", "✅  Ready    a | b", "⏳  No hold  c", "After"]);
});

it("has no lines for an empty page", () => {
  expect(pageLines("<!-- nothing -->\n")).toEqual([]);
});
