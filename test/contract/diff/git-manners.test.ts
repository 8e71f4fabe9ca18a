import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type DiffOutcome, parseDiff } from "#core/diff/diff.ts";
import { iterateLines } from "#core/diff/diff-lines.ts";
import { indexLines } from "#core/diff/line-index.ts";
import { newLineOf } from "#core/diff/line-map.ts";
import { type PatchFingerprint, patchFingerprint } from "#core/diff/patch-fingerprint.ts";
import { git, inFolder } from "./made-repository.ts";

function tenLines(change: (lines: string[]) => void = () => undefined): string {
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);
  change(lines);
  return `${lines.join("\n")}\n`;
}

/** A repository with one commit that holds `x` and `dir/y z`, checked out. */
function withRepository<T>(use: (folder: string) => T, initOptions: readonly string[] = []): T {
  return inFolder((folder) => {
    git(folder, ["init", "--quiet", "--initial-branch=main", ...initOptions, "."]);
    mkdirSync(join(folder, "dir"));
    write(folder, "x", tenLines());
    write(folder, "dir/y z", tenLines());
    commit(folder, "first");
    return use(folder);
  });
}

function write(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

function commit(folder: string, message: string): void {
  git(folder, ["add", "--all"]);
  git(folder, ["commit", "--quiet", "--allow-empty", "--message", message]);
}

/** What came out, as far as a test wants to see it. */
function summary(outcome: DiffOutcome): unknown {
  if (outcome.kind === "malformed" || outcome.kind === "refused") return `${outcome.kind}: ${outcome.why}`;
  if (outcome.kind === "over_limit") return `${outcome.kind}: ${outcome.limit}`;
  return outcome.diff.files.map((file) =>
    [file.kind, file.oldPath?.text, file.newPath?.text, file.content.kind]
      .filter((part) => part !== undefined)
      .join(" "),
  );
}

function ask(folder: string, ...argv: readonly string[]): DiffOutcome {
  // As it comes out of the process: a Buffer, maybe somewhere in the middle of a larger one.
  return parseDiff(git(folder, argv));
}

const changed = ["modified dir/y z dir/y z text", "modified x x text"];

it("a diff is read without the prefixes that name its sides", () => {
  withRepository((folder) => {
    const mnemonic = ["-c", "diff.mnemonicPrefix=true", "diff"];
    write(
      folder,
      "x",
      tenLines((lines) => lines.splice(4, 1)),
    );
    chmodSync(join(folder, "dir/y z"), 0o755);
    const seen = ["mode_changed dir/y z dir/y z none", "modified x x text"];
    expect(summary(ask(folder, ...mnemonic))).toEqual(seen);
    expect(summary(ask(folder, ...mnemonic, "-R"))).toEqual(seen);
    expect(summary(ask(folder, ...mnemonic, "HEAD"))).toEqual(seen);
    git(folder, ["add", "--all"]);
    expect(summary(ask(folder, ...mnemonic, "--cached"))).toEqual(seen);
    expect(summary(ask(folder, "diff", "--no-prefix", "--cached"))).toEqual(seen);
  });
});

it("a diff is read behind commit messages and signatures, even ones that look like a diff", () => {
  withRepository((folder) => {
    write(
      folder,
      "x",
      tenLines((lines) => lines.splice(4, 1)),
    );
    write(
      folder,
      "dir/y z",
      tenLines((lines) => lines.splice(8, 0, "more")),
    );
    commit(folder, "second\n\ndiff --git a/fake b/fake\n@@ -1 +1 @@\n-- \nBinary files a/fake and b/fake differ\n");
    expect(summary(ask(folder, "show"))).toEqual(changed);
    expect(summary(ask(folder, "show", "--stat", "--summary", "--raw", "--patch"))).toEqual(changed);
    expect(summary(ask(folder, "format-patch", "-1", "--stdout"))).toEqual(changed);
    expect(summary(ask(folder, "format-patch", "-1", "--stdout", "--attach"))).toEqual(changed);
    expect(summary(ask(folder, "log", "-p", "--reverse"))).toEqual(["added dir/y z text", "added x text", ...changed]);
  });
});

it("the diff of an empty commit has no files", () => {
  withRepository((folder) => {
    commit(folder, "empty");
    expect(summary(ask(folder, "show"))).toEqual([]);
    expect(summary(ask(folder, "diff"))).toEqual([]);
  });
});

it("the combined diff of a merge is refused, and its diff against one parent is read", () => {
  withRepository((folder) => {
    git(folder, ["checkout", "--quiet", "-b", "side"]);
    write(
      folder,
      "x",
      tenLines((lines) => lines.splice(4, 1, "side")),
    );
    commit(folder, "side");
    git(folder, ["checkout", "--quiet", "main"]);
    write(
      folder,
      "x",
      tenLines((lines) => lines.splice(4, 1, "main")),
    );
    commit(folder, "main");
    expect(() => git(folder, ["merge", "--quiet", "side"])).toThrow("merge");
    expect(summary(ask(folder, "diff"))).toBe("refused: combined_diff");
    const staged = ask(folder, "diff", "--cached");
    expect(staged.kind === "diff" && staged.diff.unmergedPaths).toEqual(["x"]);
    write(
      folder,
      "x",
      tenLines((lines) => lines.splice(4, 1, "both")),
    );
    commit(folder, "merged");
    expect(summary(ask(folder, "show"))).toBe("refused: combined_diff");
    expect(summary(ask(folder, "show", "--format=", "--combined-all-paths", "-c"))).toBe("refused: combined_diff");
    expect(summary(ask(folder, "show", "-m", "--first-parent"))).toEqual(["modified x x text"]);
  });
});

it("a submodule that git describes in prose is refused", () => {
  withRepository((folder) => {
    git(folder, submoduleAt("1"));
    git(folder, ["commit", "--quiet", "--message", "with a submodule"]);
    git(folder, submoduleAt("2"));
    expect(summary(ask(folder, "diff", "--cached"))).toEqual(["modified sub sub text"]);
    expect(summary(ask(folder, "diff", "--cached", "--submodule=log"))).toBe("refused: submodule_summary");
    expect(summary(ask(folder, "diff", "--cached", "--submodule=diff"))).toBe("refused: submodule_summary");
  });
});

function submoduleAt(digit: string): readonly string[] {
  return ["update-index", "--add", "--cacheinfo", `160000,${digit.repeat(40)},sub`];
}

it("a diff without the content of binary files says that content was left out", () => {
  withRepository((folder) => {
    write(folder, "empty", "");
    commit(folder, "empty");
    git(folder, ["rm", "--quiet", "x", "empty"]);
    const seen = ["deleted empty none", "deleted x omitted"];
    expect(summary(ask(folder, "diff", "--cached", "--irreversible-delete"))).toEqual(seen);
    write(folder, "blank", "\n\n");
    git(folder, ["add", "blank"]);
    const ignoring = ask(folder, "diff", "--cached", "--ignore-blank-lines", "--", "blank");
    expect(summary(ignoring)).toEqual(["added blank omitted"]);
  });
});

it("the diff of a rewritten file is read", () => {
  withRepository((folder) => {
    write(folder, "x", tenLines().repeat(20));
    commit(folder, "long enough to be called rewritten");
    write(folder, "x", Array.from({ length: 200 }, (_, index) => `word ${index}\n`).join(""));
    const outcome = ask(folder, "diff", "--break-rewrites=1%");
    expect(summary(outcome)).toEqual(["modified x x text"]);
    expect(outcome.kind === "diff" && outcome.diff.files[0]?.dissimilarity).toBeGreaterThan(50);
  });
});

it("an end of file in the middle of a hunk is read when git ignores whitespace", () => {
  withRepository((folder) => {
    write(folder, "x", "one\ntwo");
    const outcome = ask(folder, "diff", "--ignore-all-space");
    const [file] = outcome.kind === "diff" ? outcome.diff.files : [];
    expect(file?.addedLines).toBe(2);
    write(folder, "x", tenLines().slice(0, -1));
    commit(folder, "no newline");
    write(folder, "x", tenLines((lines) => lines.splice(9, 1)).slice(0, -1));
    expect(summary(ask(folder, "diff", "--ignore-all-space"))).toEqual(["modified x x text"]);
  });
});

it("lines are not mapped across changes that git was told to ignore", () => {
  withRepository((folder) => {
    write(folder, "x", Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join(""));
    commit(folder, "longer");
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);
    lines.splice(50, 1, "changed\n");
    lines.splice(30, 0, "\n");
    lines.splice(5, 1, "changed\n");
    write(folder, "x", lines.join(""));
    const outcome = ask(folder, "diff", "--ignore-blank-lines");
    if (outcome.kind !== "diff") throw new Error(outcome.reason);
    const [file] = outcome.diff.files;
    if (file === undefined) throw new Error("the change was not seen");
    const index = indexLines(outcome.diff, file);
    expect([1, 6, 9, 20, 40, 51, 52, 60].map((line) => newLineOf(index, line))).toEqual([
      1,
      undefined,
      9,
      undefined,
      undefined,
      undefined,
      53,
      61,
    ]);
  });
});

it("a comparison of two folders outside of any repository is read", () => {
  inFolder((folder) => {
    for (const name of ["one", "two"]) mkdirSync(join(folder, name));
    write(folder, "one/same name", tenLines());
    write(
      folder,
      "two/same name",
      tenLines((lines) => lines.splice(4, 1)),
    );
    write(folder, "one/binary", "\0one");
    write(folder, "two/binary", "\0two");
    write(folder, "two/new", "new\n");
    // Git answers 1 where the folders differ, so the output comes with the error.
    let output = new Uint8Array();
    try {
      git(folder, ["diff", "--no-index", "one", "two"]);
    } catch (error) {
      if (error instanceof Error && "stdout" in error && error.stdout instanceof Uint8Array)
        output = error.stdout.slice();
    }
    expect(summary(parseDiff(output))).toEqual([
      "modified one/binary two/binary binary",
      "added two/new text",
      "modified one/same name two/same name text",
    ]);
  });
});

it("the object ids of a repository that uses SHA-256 are read", () => {
  withRepository(
    (folder) => {
      write(folder, "x", "\0");
      const outcome = ask(folder, "diff", "--binary");
      const [file] = outcome.kind === "diff" ? outcome.diff.files : [];
      expect(file?.newBlob).toHaveLength(64);
      expect(file?.content.kind).toBe("binary");
    },
    ["--object-format=sha256"],
  );
});

it("a patch has the same fingerprint after a rebase, and another one with other whitespace, unlike git's patch id", () => {
  withRepository((folder) => {
    const change = (indent: string): string => tenLines((lines) => lines.splice(8, 1, `${indent}nine`));
    const patch = (): Buffer => git(folder, ["diff", "HEAD~1", "HEAD"]);
    const patchId = (bytes: Buffer): string =>
      git(folder, ["patch-id", "--stable"], bytes).toString().split(" ")[0] ?? "";
    git(folder, ["checkout", "--quiet", "-b", "side"]);
    write(folder, "x", change("  "));
    commit(folder, "indented");
    const before = patch();
    git(folder, ["checkout", "--quiet", "main"]);
    write(
      folder,
      "x",
      tenLines((lines) => lines.splice(0, 1, "new first line", "and another")),
    );
    commit(folder, "further up");
    git(folder, ["rebase", "--quiet", "main", "side"]);
    const after = patch();
    expect(after.equals(before)).toBe(false);
    expect(fingerprintOf(after)).toEqual(fingerprintOf(before));
    write(folder, "x", git(folder, ["show", "HEAD:x"]).toString().replace("  nine", "    nine"));
    git(folder, ["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    expect(fingerprintOf(patch())).not.toEqual(fingerprintOf(before));
    expect(patchId(patch())).toBe(patchId(before));
  });
});

function fingerprintOf(patch: Uint8Array): PatchFingerprint | undefined {
  const outcome = parseDiff(new Uint8Array(patch));
  return outcome.kind === "diff" ? patchFingerprint(outcome.diff) : undefined;
}

it("a diff without git's own header lines is read like one with them", () => {
  withRepository((folder) => {
    write(folder, "x", tenLines((lines) => lines.splice(4, 1)).slice(0, -1));
    write(
      folder,
      "dir/y z",
      tenLines((lines) => lines.splice(8, 0, "-- y", "++ z")),
    );
    git(folder, ["rm", "--quiet", "--cached", "dir/y z"]);
    const patch = git(folder, ["diff", "HEAD"]).toString("latin1");
    const plain = patch.replaceAll(/^(?:diff --git|index|deleted file mode) .*\n/gm, "");
    const full = parseDiff(new Uint8Array(Buffer.from(patch, "latin1")));
    const bare = parseDiff(new Uint8Array(Buffer.from(plain, "latin1")));
    expect(summary(bare)).toEqual(summary(full));
    expect(allLines(bare)).toEqual(allLines(full));
  });
});

function allLines(outcome: DiffOutcome): readonly unknown[] {
  if (outcome.kind !== "diff") return [outcome.reason];
  const { diff } = outcome;
  return diff.files.flatMap((file) =>
    [...iterateLines(diff, file)].map(({ kind, oldLine, newLine, text }) => ({
      kind,
      oldLine,
      newLine,
      text,
    })),
  );
}
