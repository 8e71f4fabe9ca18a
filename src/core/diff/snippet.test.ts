import { expect, it } from "vitest";
import { readSnippet } from "#core/diff/snippet.ts";

/** The forms of a snippet, as the text that each side would be searched for. */
function forms(snippet: string): readonly { readonly old: string; readonly new: string }[] {
  return readSnippet(snippet).map((form) => ({
    old: form.old.lines.map(({ text }) => text).join("\n"),
    new: form.new.lines.map(({ text }) => text).join("\n"),
  }));
}

it("the first form of a snippet is the literal one, without carriage returns and blank lines around it", () => {
  expect(forms("\n  \r\n  foo();\r\n\r\nbar();\n\n")).toEqual([
    { old: "  foo();\n\nbar();", new: "  foo();\n\nbar();" },
  ]);
});

it("a snippet with the markers of a diff has a form for each side without them", () => {
  const [, unmarked] = forms("@@ -1,2 +1,2 @@\n context\n-old\n+new");
  expect(unmarked).toEqual({ old: "context\nold", new: "context\nnew" });
});

it.each([
  "7: foo();\n8:   bar();",
  "7 | foo();\n8 |   bar();",
  " 7\tfoo();\n 8\t  bar();",
  "L7 foo();\nL8   bar();",
  "7→foo();\n8→  bar();",
])("a snippet with line numbers as in %j has a form without them", (snippet) => {
  expect(forms(snippet).map((form) => form.new)).toContain("foo();\n  bar();");
});

it("a snippet with line numbers and markers loses both, in either order", () => {
  expect(forms("7 +foo();\n8 -bar();").map((form) => form.new)).toContain("foo();");
  expect(forms("+7: foo();\n-8: bar();").map((form) => form.old)).toContain("bar();");
});

it("a snippet keeps numbers that are code", () => {
  expect(forms("7: foo();\nbar();")).toHaveLength(1);
  expect(forms("10px")).toHaveLength(1);
});

it("a snippet with fewer than four letters and digits is trivial", () => {
  const snippets = ["}", "});\n}", "if {", "a = b", "grün", "return"];
  expect(snippets.map((snippet) => readSnippet(snippet)[0]?.new.isTrivial)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
