import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { type DiffOptions, parseDiff } from "#core/diff/diff.ts";

/** Why there is no index, and the text at the place where that was noticed. */
function trouble(text: string, options?: DiffOptions): readonly [string, string] {
  const outcome = parseDiff(encodeText(text), options);
  if (outcome.kind === "diff") return ["none", ""];
  expect(outcome.reason).toMatch(/^[A-Z].*\.$/);
  const [line = ""] = new TextDecoder().decode(encodeText(text).subarray(outcome.offset)).split("\n");
  return [outcome.kind === "over_limit" ? outcome.limit : outcome.why, line];
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

const header = ["diff --git a/x b/x", "index 1111111..2222222 100644", "--- a/x", "+++ b/x"];
const modified = lines(...header, "@@ -1,2 +1,2 @@ fn", " one", "-two", "+2");

describe("what is not understood exactly is an outcome with a reason and a place", () => {
  it.each<readonly [string, string, string]>([
    [
      "combined_diff",
      "diff --cc x",
      lines("diff --cc x", "index 1111,2222..3333", "--- a/x", "+++ b/x", "@@@ -1,1 -1,1 +1,1 @@@"),
    ],
    ["combined_diff", "diff --combined x", lines("diff --combined x")],
    ["combined_diff", "@@@ -1 -1 +1 @@@", lines("@@@ -1 -1 +1 @@@")],
    ["submodule_summary", "Submodule s 1111111..2222222:", lines("Submodule s 1111111..2222222:", "  > message")],
    ["no_file_header", "<html>", lines("<html>", "Not found")],
    ["hunk_without_file", "@@ -1 +1 @@", lines("@@ -1 +1 @@", "-a", "+b")],
    ["binary_without_header", "Binary files a/x and b/x differ", lines("Binary files a/x and b/x differ")],
    ["header_without_change", "diff --git a/y b/y", lines("diff --git a/y b/y") + modified],
    ["header_without_change", header[0] ?? "", lines(...header.slice(0, 2)) + modified],
    ["bad_header_line", "+++ b/x", lines("diff --git a/x b/x", "+++ b/x", "--- a/x")],
    ["bad_header_line", "diff --git a/x b/x", lines("diff --git a/x b/x", "old mode 644", "new mode 755")],
    ["bad_header_line", "diff --git a/x b/x", lines("diff --git a/x b/x", "index 1111...2222")],
    ["contradictory_header", "old mode 2", lines("diff --git a/x b/x", "old mode 1", "old mode 2")],
    [
      "contradictory_header",
      "diff --git a/x b/x",
      lines("diff --git a/x b/x", "old mode 100644", "new file mode 100644"),
    ],
    ["contradictory_header", "diff --git a/x b/y", lines("diff --git a/x b/y", "rename from x", "copy to y")],
    ["bad_name", 'diff --git "a/x b/x', lines('diff --git "a/x b/x', "old mode 100644", "new mode 100755")],
    ["bad_hunk_header", "@@ -1 +1", lines(...header, "@@ -1 +1", "-a", "+b")],
    ["bad_hunk_header", "@@ -0 +1 @@", lines(...header, "@@ -0 +1 @@", "-a", "+b")],
    ["bad_hunk_header", "@@ -99999999999 +1 @@", lines(...header, "@@ -99999999999 +1 @@", "-a", "+b")],
    ["bad_hunk_line", "?", lines(...header, "@@ -1 +1 @@", "?", "+b")],
    ["hunk_longer_than_header", "-c", lines(...header, "@@ -1 +1 @@", "-a", "-c")],
    ["hunk_longer_than_header", "+c", lines(...header, "@@ -1 +1 @@", "-a", "+b", "+c")],
    ["hunk_without_change", " a", lines(...header, "@@ -1 +1 @@", " a")],
    ["hunks_out_of_order", "@@ -1 +1 @@", lines(...header, "@@ -5 +5 @@", "-a", "+b", "@@ -1 +1 @@", "-a", "+b")],
    ["hunks_out_of_order", "@@ -2 +5 @@", lines(...header, "@@ -1,2 +1 @@", "-a", " b", "@@ -2 +5 @@", "-a", "+b")],
    ["lines_after_last", "\\ No newline", lines(...header, "@@ -1 +1,2 @@", "-a", "+b", "\\ No newline", "+c")],
    ["lines_after_last", "\\ No newline", lines(...header, "@@ -1 +1 @@", "\\ No newline", "-a", "+b")],
    [
      "lines_after_last",
      "@@ -5 +5 @@",
      lines(...header, "@@ -1 +1 @@", "-a", "\\ No newline", "+b", "@@ -5 +5 @@", "-a", "+b"),
    ],
    ["contradictory_header", "@@ -1 +1 @@", lines("--- /dev/null", "+++ b/x", "@@ -1 +1 @@", "-a", "+b")],
    [
      "bad_binary_patch",
      "literal 3",
      lines("diff --git a/b b/b", "index 1111..2222", "GIT binary patch", "literal 3", "AcmYd", ""),
    ],
    ["truncated", "@@ -1 +1 @@", `${lines(...header)}@@ -1 +1 @@`],
    ["truncated", "+2", modified.slice(0, -1)],
    ["truncated", "", lines(...header, "@@ -1,2 +1,2 @@", " one")],
    ["truncated", "", lines(...header)],
    ["truncated", "", lines(...header.slice(0, 3))],
    ["truncated", "", lines(...header.slice(0, 2))],
    ["truncated", "diff --git a/x b/x", lines(...header.slice(0, 1))],
    ["truncated", "diff --git a/x b", "diff --git a/x b"],
  ])("%s at %j", (why, place, text) => {
    expect(trouble(text)).toEqual([why, place]);
  });

  it("says what to do about a combined diff", () => {
    const outcome = parseDiff(encodeText("diff --cc x\n"));
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining("git diff BASE HEAD") });
  });

  it("names the limit that was reached", () => {
    const twice = modified + modified.replaceAll("/x", "/y");
    const enough = { diffBytesMax: twice.length, diffFilesMax: 2, diffHunksMax: 2 };
    expect(trouble(twice, { limits: enough })).toEqual(["none", ""]);
    expect(trouble(twice, { limits: { diffBytesMax: 10 } })).toEqual(["diffBytesMax", " a/x b/x"]);
    expect(trouble(twice, { limits: { diffFilesMax: 1 } })).toEqual(["diffFilesMax", "diff --git a/y b/y"]);
    expect(trouble(twice, { limits: { diffHunksMax: 1 } })).toEqual(["diffHunksMax", "@@ -1,2 +1,2 @@ fn"]);
    expect(trouble(twice, { limits: { diffNameBytesMax: 5 } })).toEqual(["diffNameBytesMax", "diff --git a/x b/x"]);
  });
});

describe("arbitrary input", () => {
  const word = fc.constantFrom(
    "diff --git ",
    "a/x b/x",
    "\n",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "@@ -",
    "@@@ ",
    " ",
    "+",
    "-",
    "\\ ",
    "\t",
    '"',
    "\\303",
    "index 1..2",
    "new file mode 100644",
    "old mode ",
    "rename from ",
    "copy to ",
    "GIT binary patch\n",
    "literal 1",
    "/dev/null",
    "1",
    ",",
    "Binary files ",
    " differ",
    "Submodule ",
    "From ",
    "commit ",
    "Aabcde",
    "é",
    "\uFFFD",
    "\r",
  );

  it("the reader of diffs survives arbitrary bytes, and words of a diff in any order", () => {
    const input = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(word, { maxLength: 60 }).map((words) => encodeText(words.join(""))),
    );
    fc.assert(
      fc.property(input, (bytes) => {
        const outcome = parseDiff(bytes);
        const offset = outcome.kind === "diff" ? 0 : outcome.offset;
        expect(offset).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("the reader of diffs survives a diff that was cut anywhere, and never takes it for a whole one", () => {
    const text = lines(...header, "@@ -1,2 +1,2 @@", " one", "-two", "+2", "@@ -9 +9,2 @@", "-nine", "+9", "+10");
    for (let length = 0; length < text.length; length += 1) {
      const outcome = parseDiff(encodeText(text.slice(0, length)));
      const isWholeHunks = length === 0 || length === text.indexOf("@@ -9");
      expect([length, outcome.kind]).toEqual([length, isWholeHunks ? "diff" : "malformed"]);
    }
  });
});
