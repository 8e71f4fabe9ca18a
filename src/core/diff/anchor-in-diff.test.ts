import { expect, it } from "vitest";
import { type PathClaim, resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import { encodeText } from "#core/diff/byte-scan.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";

function parse(...text: readonly string[]): Diff {
  const outcome = parseDiff(encodeText(text.map((line) => `${line}\n`).join("")));
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

const x = ["--- a/x", "+++ b/x", "@@ -1 +1,2 @@", " shared line", "+only in x"];
const y = [
  "--- a/y",
  "+++ b/y",
  "@@ -1 +1,3 @@",
  " shared line",
  "+  only in y",
  "+twice",
  "@@ -9 +11,2 @@",
  " }",
  "+twice",
];
const z = ["diff --git a/z b/z", "old mode 100644", "new mode 100755"];
const moved = ["diff --git a/old b/new", "similarity index 90%", "rename from old", "rename to new"];
const changed = ["--- a/old", "+++ b/new", "@@ -5 +5 @@", "-gone from new", "+came to new"];
const diff = parse(...x, ...y, ...z, ...moved, ...changed);

function resolve(claim: Partial<PathClaim>): string {
  const anchor = resolveAnchorInDiff(diff, { path: "x", snippet: "", claimedLine: 1, side: "new", ...claim });
  if (anchor.kind === "not_in_diff") return anchor.why;
  const { file, side, startLine, endLine } = anchor.range;
  return `${anchor.kind} ${file.path} ${side} ${startLine}-${endLine} ${anchor.likeness}`;
}

it("a quote is looked for in the named file first, under either of its names", () => {
  expect(resolve({ snippet: "shared line" })).toBe("exact x new 1-1 verbatim");
  expect(resolve({ path: "y", snippet: "shared line" })).toBe("exact y new 1-1 verbatim");
  expect(resolve({ path: "new", snippet: "came to new", claimedLine: 5 })).toBe("exact new new 5-5 verbatim");
  expect(resolve({ path: "old", snippet: "gone from new", claimedLine: 5, side: "old" })).toBe(
    "exact new old 5-5 verbatim",
  );
});

it("a quote that only another file holds is placed there", () => {
  expect(resolve({ snippet: "only in y" })).toBe("moved y new 2-2 whitespace");
  expect(resolve({ path: "nowhere", snippet: "gone from new" })).toBe("moved new old 5-5 verbatim");
  expect(resolve({ path: "z", snippet: "only in x" })).toBe("moved x new 2-2 verbatim");
});

it("a quote that several places hold, or that is trivial, is not placed", () => {
  expect(resolve({ snippet: "twice" })).toBe("no_match");
  expect(resolve({ snippet: "}" })).toBe("no_match");
  expect(resolve({ path: "nowhere", snippet: "twice" })).toBe("no_such_file");
  expect(resolve({ path: "z", snippet: "twice" })).toBe("no_lines");
  expect(resolve({ snippet: "" })).toBe("empty_snippet");
});
