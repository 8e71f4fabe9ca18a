import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { parseDiff } from "#core/diff/diff.ts";
import { type PatchFingerprint, patchFingerprint } from "#core/diff/patch-fingerprint.ts";

function fingerprint(text: string): PatchFingerprint {
  const outcome = parseDiff(encodeText(text));
  if (outcome.kind !== "diff") throw new Error(`${outcome.reason} at ${outcome.offset}`);
  return patchFingerprint(outcome.diff);
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

const names = ["--- a/x", "+++ b/x"];
const x = lines(
  "diff --git a/x b/x",
  "index 1111..2222 100644",
  ...names,
  "@@ -4,3 +4,3 @@ def f():",
  " if a:",
  "-  b()",
  "+  c()",
  " d()",
);
const y = lines(
  "diff --git a/y b/y",
  "new file mode 100644",
  "index 0000..3333",
  "--- /dev/null",
  "+++ b/y",
  "@@ -0,0 +1 @@",
  "+y",
);
const renamed = lines("diff --git a/o b/n", "similarity index 90%", "rename from o", "rename to n");
const full = `${"1".repeat(40)}..${"2".repeat(40)}`;
const binary = lines("diff --git a/b b/b", `index ${full} 100644`, "Binary files a/b and b/b differ");

describe("the same patch", () => {
  it.each<readonly [string, string, string]>([
    ["at other line numbers", x, x.replace("-4,3 +4,3", "-40,3 +50,3")],
    ["under another heading", x, x.replace(" def f():", " def g():")],
    ["with other blob ids of text", x, x.replace("1111..2222", "5555..6666")],
    ["with another similarity", renamed, renamed.replace("90%", "95%")],
    ["with its files in another order", x + y, y + x],
    ["inside another commit", x, lines(`commit ${"1".repeat(40)}`, "", "    message", "") + x],
  ])("keeps its fingerprint %s", (_, one, other) => {
    expect(fingerprint(one)).toEqual(fingerprint(other));
    expect(fingerprint(one).kind).toBe("known");
  });
});

describe("another patch", () => {
  it.each<readonly [string, string, string]>([
    ["an added line", x, x.replace("+  c()", "+  e()")],
    ["a removed line", x, x.replace("-  b()", "-  e()")],
    ["the indentation of an added line", x, x.replace("+  c()", "+c()")],
    ["whitespace at the end of a line", x, x.replace("+  c()", "+  c() ")],
    ["a carriage return", x, x.replace("+  c()", "+  c()\r")],
    ["the context, so that the change is somewhere else", x, x.replace(" if a:", " if b:")],
    ["which side a line is on", x, x.replace("-  b()\n+  c()", "-  c()\n+  b()")],
    ["the newline at the end", x, `${x}\\ No newline at end of file\n`],
    ["the path", x, x.replaceAll("/x", "/z")],
    ["the mode", x, x.replace("100644", "100755")],
    ["the kind of entry", x, x.replace("100644", "120000")],
    ["the mode of a new file", y, y.replace("100644", "100755")],
    ["the source of a rename", renamed, renamed.replace("a/o", "a/p").replace("from o", "from p")],
    ["a copy instead of a rename", renamed, renamed.replaceAll("rename", "copy")],
    ["the content of a binary", binary, binary.replace("2".repeat(40), "3".repeat(40))],
    ["the old content of a binary", binary, binary.replace("1".repeat(40), "3".repeat(40))],
    ["one more file", x, x + y],
    ["a file that is there twice", x, x + x],
    ["nothing", x, ""],
  ])("has another fingerprint: %s", (_, one, other) => {
    expect(fingerprint(one)).not.toEqual(fingerprint(other));
    expect(fingerprint(other).kind).toBe("known");
  });

  it("is told apart where one hunk became two", () => {
    const head = lines("diff --git a/x b/x", "index 1111..2222 100644", ...names);
    const one = lines("@@ -2,4 +2,4 @@", " a", "-b", "+c", " a", "-d").replace("+2,4", "+2,3");
    const two = lines("@@ -2,2 +2,2 @@", " a", "-b", "+c") + lines("@@ -9,2 +9 @@", " a", "-d");
    expect(fingerprint(head + one)).not.toEqual(fingerprint(head + two));
  });
});

describe("no fingerprint is given", () => {
  it("where a short id could stand for other content", () => {
    const expected = { kind: "unknown", why: "unnamed_content", path: "b" };
    expect(fingerprint(binary.replace(full, "1111111..2222222"))).toEqual(expected);
    expect(fingerprint(binary.replace(`index ${full} 100644\n`, "index 1111..2222 100644\n"))).toEqual(expected);
  });

  it("where nothing says to which place a change belongs", () => {
    const bare = lines("diff --git a/x b/x", "index 1111..2222 100644", ...names, "@@ -7 +7 @@", "-b", "+c");
    expect(fingerprint(bare)).toEqual({ kind: "unknown", why: "no_context", path: "x" });
    expect(fingerprint(bare.replace("-7 +7", "-1 +1")).kind).toBe("known");
  });

  it("where git could not merge", () => {
    expect(fingerprint(`* Unmerged path x\n${x}`)).toEqual({ kind: "unknown", why: "unmerged", path: "x" });
  });
});

it("stays what it was, for approvals are stored with it", () => {
  const expected = fingerprint(x + y + renamed + binary);
  expect(expected).toEqual({
    kind: "known",
    sha256: "0c84f00da262851fedad1dbb42a7d40aba6a1a199655c36580e6985c1f3b4145",
  });
});
