import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { type Diff, type DiffOptions, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { hunkHeading, hunksOf } from "#core/diff/hunk.ts";

function parse(text: string, options?: DiffOptions): Diff {
  const outcome = parseDiff(encodeText(text), options);
  if (outcome.kind !== "diff") throw new Error(`${outcome.kind} at ${outcome.offset}: ${outcome.reason}`);
  return outcome.diff;
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

const header = ["diff --git a/x b/x", "index 1111111..2222222 100644", "--- a/x", "+++ b/x"];
const modified = lines(...header, "@@ -1,2 +1,2 @@ fn", " one", "-two", "+2");

describe("what a file says", () => {
  it("is read from its header and hunks", () => {
    const diff = parse(modified);
    const [file] = diff.files;
    expect(file).toEqual({
      kind: "modified",
      path: "x",
      oldPath: { text: "x", troubles: [], bytes: undefined },
      newPath: { text: "x", troubles: [], bytes: undefined },
      oldMode: "100644",
      newMode: "100644",
      similarity: undefined,
      dissimilarity: undefined,
      oldBlob: "1111111",
      newBlob: "2222222",
      content: { kind: "text" },
      hunkFirst: 0,
      hunkCount: 1,
      addedLines: 1,
      removedLines: 1,
      start: 0,
      end: modified.length,
    } satisfies DiffFile);
    const hunks = file ? hunksOf(diff, file) : [];
    expect(hunks).toEqual([
      {
        oldStart: 1,
        oldCount: 2,
        newStart: 1,
        newCount: 2,
        addedLines: 1,
        removedLines: 1,
        start: modified.indexOf("@@"),
        headingStart: modified.indexOf("fn"),
        bodyStart: modified.indexOf(" one"),
        end: modified.length,
      },
    ]);
    expect(hunks.map((hunk) => hunkHeading(diff, hunk))).toEqual(["fn"]);
  });

  it.each<readonly [string, readonly string[], Partial<DiffFile>]>([
    [
      "an empty file that came",
      ["diff --git a/e b/e", "new file mode 100644", "index 0000000..e69de29"],
      { kind: "added", path: "e", oldPath: undefined, newMode: "100644", content: { kind: "none" } },
    ],
    [
      "an empty file that went",
      ["diff --git a/e b/e", "deleted file mode 100755", "index e69de29..0000000"],
      { kind: "deleted", path: "e", newPath: undefined, oldMode: "100755", content: { kind: "none" } },
    ],
    [
      "a mode change alone",
      ["diff --git a/m b/m", "old mode 100644", "new mode 100755"],
      { kind: "mode_changed", oldMode: "100644", newMode: "100755", content: { kind: "none" } },
    ],
    [
      "a mode change with content",
      [
        "diff --git a/x b/x",
        "old mode 100644",
        "new mode 100755",
        "index 1111..2222",
        ...header.slice(2),
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ],
      { kind: "modified", oldMode: "100644", newMode: "100755" },
    ],
    [
      "a rename alone",
      ["diff --git a/o b/n", "similarity index 100%", "rename from o", "rename to n"],
      { kind: "renamed", path: "n", similarity: 100, content: { kind: "none" } },
    ],
    [
      "a copy with a new mode",
      ["diff --git a/o b/n", "old mode 100644", "new mode 100755", "similarity index 100%", "copy from o", "copy to n"],
      { kind: "copied", path: "n", newMode: "100755" },
    ],
    [
      "a binary without payload",
      ["diff --git a/b b/b", "index 1111..2222 100644", "Binary files a/b and b/b differ"],
      { kind: "modified", content: { kind: "binary", payload: undefined } },
    ],
    [
      "a deleted file whose content was left out",
      ["diff --git a/d b/d", "deleted file mode 100644", "index 1111111..0000000"],
      { kind: "deleted", content: { kind: "omitted" } },
    ],
    [
      "a submodule",
      [
        "diff --git a/s b/s",
        "index 1111..2222 160000",
        "--- a/s",
        "+++ b/s",
        "@@ -1 +1 @@",
        "-Subproject commit 1",
        "+Subproject commit 2",
      ],
      { kind: "modified", oldMode: "160000", addedLines: 1, removedLines: 1 },
    ],
  ])("%s", (_, text, expected) => {
    const { files } = parse(lines(...text));
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject(expected);
  });

  it("is two files where a file becomes a symlink", () => {
    const text = lines(
      "diff --git a/t b/t",
      "deleted file mode 100644",
      "index 1111..0000",
      "--- a/t",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-a",
      "diff --git a/t b/t",
      "new file mode 120000",
      "index 0000..2222",
      "--- /dev/null",
      "+++ b/t",
      "@@ -0,0 +1 @@",
      "+b",
      "\\ No newline at end of file",
    );
    expect(parse(text).files.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["deleted t", "added t"]);
  });

  it("has both blocks of a binary patch by their offsets", () => {
    const text = lines(
      "diff --git a/b b/b",
      "index 1111..2222 100644",
      "GIT binary patch",
      "literal 3",
      "AcmYdH",
      "",
      "delta 12",
      "Ec$e#s00012",
      "",
      "diff --git a/m b/m",
      "old mode 100644",
      "new mode 100755",
    );
    const diff = parse(text);
    const content = diff.files[0]?.content;
    const payload = content?.kind === "binary" ? content.payload : undefined;
    expect(payload?.forward).toMatchObject({ method: "literal", inflatedBytes: 3 });
    expect(text.slice(payload?.forward.start, payload?.forward.end)).toBe("AcmYdH\n");
    expect(payload?.reverse).toMatchObject({ method: "delta", inflatedBytes: 12 });
    expect(diff.files).toHaveLength(2);
  });
});

describe("a hunk ends where its counts say", () => {
  it("whatever its lines look like", () => {
    const body = [
      "--- a/x",
      "+++ b/x",
      "-@@ -1 +1 @@",
      "+diff --git a/y b/y",
      " diff --git a/z b/z",
      "+\\ No newline",
      " ",
    ];
    const { files } = parse(
      lines(...header, "@@ -1,4 +1,5 @@", ...body, "diff --git a/m b/m", "old mode 100644", "new mode 100755"),
    );
    expect(files.map(({ kind, addedLines, removedLines }) => [kind, addedLines, removedLines])).toEqual([
      ["modified", 3, 2],
      ["mode_changed", 0, 0],
    ]);
  });

  it("with a context line that lost its space, as some tools write it", () => {
    expect(parse(lines(...header, "@@ -1,3 +1,3 @@", " a", "", "-b", "+c")).files[0]?.addedLines).toBe(1);
  });

  it("with no newline at the end of either side or of both", () => {
    const end = "\\ No newline at end of file";
    const text = lines(
      ...header,
      "@@ -1 +1 @@",
      "-a",
      end,
      "+b",
      end,
      ...header,
      "@@ -1,2 +1,2 @@",
      "-a",
      "+b",
      " c",
      end,
    );
    expect(parse(text).files).toHaveLength(2);
  });
});

describe("text around the files is passed over", () => {
  it("before and after them", () => {
    const text =
      lines("From: somebody", "---", " x | 2 +-", " 1 file changed", "") + modified + lines("-- ", "2.39.5", "");
    expect(parse(text).files).toHaveLength(1);
  });

  it("in a commit message that quotes a hunk", () => {
    const text =
      lines(`From ${"1".repeat(40)} Mon Sep 17 00:00:00 2001`, "@@ -1 +1 @@", "diff --git a/x b/y", "") + modified;
    expect(parse(text).files).toHaveLength(1);
  });

  it("and is empty where a commit changes nothing", () => {
    expect(parse(lines(`commit ${"1".repeat(40)}`, "Author: A", "", "    empty")).files).toEqual([]);
    expect(parse("").files).toEqual([]);
    expect(parse("\n \r\n").files).toEqual([]);
  });

  it("but unmerged paths are kept", () => {
    expect(parse(lines("* Unmerged path some file") + modified).unmergedPaths).toEqual(["some file"]);
  });
});

function kinds(...text: readonly string[]): readonly string[] {
  return parse(lines(...text)).files.map(({ kind, path }) => `${kind} ${path}`);
}

describe("a plain diff", () => {
  it.each([
    ["a/x y\t2020-01-01", "b/x y\t2020-01-02", "x y"],
    ["x.orig", "x", "x"],
    ["x", "x~", "x"],
    ["old/src/x", "new/src/x", "src/x"],
  ])("takes its one name from %j and %j", (minus, plus, name) => {
    expect(kinds(`--- ${minus}`, `+++ ${plus}`, "@@ -1 +1 @@", "-a", "+b")).toEqual([`modified ${name}`]);
  });

  const added = ["@@ -0,0 +1 @@", "+a"];
  const deleted = ["@@ -1 +0,0 @@", "-a"];
  const now = "2020-01-01 00:00:00 +0000";

  it.each<readonly [string, readonly string[]]>([
    ["added x", ["--- /dev/null", "+++ b/x", ...added]],
    ["deleted x", ["--- a/x", "+++ /dev/null", ...deleted]],
    ["added x", ["--- o/x\t1970-01-01 01:00:00.000000000 +0100", `+++ n/x\t${now}`, ...added]],
    ["deleted x", [`--- o/x\t${now}`, "+++ n/x\t1969-12-31 19:00:00 -0500", ...deleted]],
    ["modified x", [`--- o/x\t${now}`, `+++ n/x\t${now}`, ...added]],
  ])("says %j for %j", (expected, text) => {
    expect(kinds(...text)).toEqual([expected]);
  });

  it("of several files goes from hunk to header without anything between", () => {
    const one = ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"];
    expect(kinds(...one, ...one.map((line) => line.replace("/x", "/y")))).toEqual(["modified x", "modified y"]);
  });
});

describe("paths", () => {
  it("that would leave the tree are shown as they are", () => {
    const { files } = parse(modified.replaceAll("/x", "/../../etc/passwd"));
    expect(files[0]?.newPath).toEqual({ text: "../../etc/passwd", troubles: ["parent_segment"], bytes: undefined });
  });

  it("lose a prefix that the caller knows", () => {
    const { files } = parse(modified.replaceAll("b/x", "a/x"), { prefixes: { old: "a/", new: "a/" } });
    expect(files[0]?.path).toBe("x");
  });
});
