import * as fc from "fast-check";
import { expect, it } from "vitest";
import { encodeText, viewOf } from "#core/diff/byte-scan.ts";
import { defaultDiffLimits } from "#core/diff/diff-problem.ts";
import { readUsualHeader } from "#core/diff/git-file.ts";
import { type HeaderInput, readGitHeader } from "#core/diff/git-header.ts";

function inputOf(text: string, limits = defaultDiffLimits): HeaderInput {
  const bytes = encodeText(text);
  return { bytes, view: viewOf(bytes), from: 0, limits, prefixes: undefined };
}

function header(name: string, tab = ""): string {
  return `diff --git a/${name} b/${name}\nindex 1111..2222 100644\n--- a/${name}${tab}\n+++ b/${name}${tab}\n@@ -1 +1 @@\n`;
}

it.each([header("x"), header("src/core/grüße.ts"), header("a b/a b", "\t"), header("x").replace(" 100644", "")])(
  "the quick rules read the header %j as the general rules do",
  (text) => {
    expect(readUsualHeader(inputOf(text))).toBeDefined();
    expect(readUsualHeader(inputOf(text))).toEqual(readGitHeader(inputOf(text)));
  },
);

it("the quick rules for headers leave every other shape to the general rules", () => {
  const piece = fc.constantFrom("a", "b", "/", " ", "b/", " b/", "x", "\t", '"');
  const name = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  const change = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.replace("--- a/", "--- b/"),
    (text) => text.replace("+++ b/", "+++ "),
    (text) => text.replace("+++ b/", "+++ /dev/null"),
    (text) => text.replace("index", "new file mode 100644\nindex"),
    (text) => text.replace("1111..2222", "1111.2222"),
    (text) => text.replace("100644", "10064"),
    (text) => text.replace("\n+++", "x\n+++"),
    (text) => text.slice(0, text.indexOf("\n@@")),
    (text) => text.replaceAll("a/", "i/").replaceAll("b/", "w/"),
    (text) => text.replaceAll(/[ab]\//g, ""),
  );
  fc.assert(
    fc.property(name, fc.constantFrom("", "\t"), change, (written, tab, damage) => {
      const input = inputOf(damage(header(written, tab)));
      expect(readUsualHeader(input) ?? readGitHeader(input)).toEqual(readGitHeader(input));
    }),
    { numRuns: 500 },
  );
});

it("the quick rules for headers keep the limit for names", () => {
  const limits = { ...defaultDiffLimits, diffNameBytesMax: 6 };
  expect(readUsualHeader(inputOf(header("x"), limits))).toBeUndefined();
});
