import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { ChangedLines } from "#core/review/changed-code.ts";
import { changedSince, renamesSince, type TwoRounds } from "#core/review/changed-since.ts";

function diff(...lines: readonly string[]): Diff {
  const parsed = parseDiff(encodeText(lines.length === 0 ? "" : `${lines.join("\n")}\n`));
  if (parsed.kind !== "diff") throw new Error(JSON.stringify(parsed));
  return parsed.diff;
}

function file(path: string, hunk: string, ...body: readonly string[]): readonly string[] {
  return [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, `@@ ${hunk} @@`, ...body];
}

function renamed(from: string, to: string): Diff {
  return diff(`diff --git a/${from} b/${to}`, "similarity index 100%", `rename from ${from}`, `rename to ${to}`);
}

const none: TwoRounds = { before: diff(), now: diff(), between: diff(), isSameBase: true };

function linesOf(rounds: Partial<TwoRounds>, path = "a"): ChangedLines | undefined {
  const changed = changedSince({ ...none, ...rounds });
  return changed.kind === "parts" ? changed.paths.get(path) : undefined;
}

const guarded = diff(...file("a", "-1,2 +1,4", " top", "+check();", "+use();", " end"));
const unguarded = diff(...file("a", "-1,2 +1,3", " top", "+use();", " end"));
const whole = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];

describe("what changed since the last round", () => {
  it("is empty between two looks at the same change", () => {
    expect(linesOf({ before: guarded, now: guarded })).toBeUndefined();
  });

  it("are the lines that came in between, numbered as they are now", () => {
    const between = diff(...file("a", "-1,2 +1,3", " top", "+check();", " use();"));
    expect(linesOf({ before: unguarded, now: guarded, between })?.new).toEqual([{ first: 2, last: 2 }]);
  });

  it("are also the neighbours of a line that went away", () => {
    const between = diff(...file("a", "-1,4 +1,3", " top", "-check();", " use();", " end"));
    expect(linesOf({ before: guarded, now: unguarded, between })?.new).toEqual([{ first: 1, last: 2 }]);
  });

  it("is not a change of the base that was merged in beside it", () => {
    const between = diff(...file("b", "-1 +1,2", " x", "+y"));
    expect(linesOf({ before: guarded, now: guarded, between }, "b")).toBeUndefined();
  });

  it("are on the old side the lines that are removed now and were not", () => {
    const before = diff(...file("a", "-1,3 +1,2", " top", "-one", " two"));
    const now = diff(...file("a", "-1,3 +1,1", " top", "-one", "-two"));
    const between = diff(...file("a", "-1,2 +1,1", " top", "-two"));
    expect(linesOf({ before, now, between })?.old).toEqual([{ first: 3, last: 3 }]);
  });

  it("is empty after a rebase that moved the same change", () => {
    const moved = diff(...file("a", "-7,2 +7,4", " other", "+check();", "+use();", " context"));
    expect(linesOf({ before: guarded, now: moved, between: null, isSameBase: false })).toBeUndefined();
  });

  it("is the whole file after a rewritten history that changed anything in it", () => {
    const rewritten = { before: guarded, now: unguarded, between: null, isSameBase: false };
    expect(linesOf(rewritten)).toEqual({ new: whole, old: whole });
  });

  it("is the whole of a file that has no lines to tell", () => {
    const binary = diff("diff --git a/a b/a", "index 1111111..2222222 100644", "Binary files a/a and b/a differ");
    expect(linesOf({ before: diff(), now: binary, between: binary })?.new).toEqual(whole);
  });
});

describe("renames since the last round", () => {
  it("are those between the two heads", () => {
    expect(renamesSince({ ...none, between: renamed("a", "b") })).toEqual(new Map([["b", "a"]]));
  });

  it("are told by both changes where the history was rewritten", () => {
    const rounds = { ...none, before: renamed("a", "b"), now: renamed("a", "c"), between: null };
    expect(renamesSince(rounds)).toEqual(new Map([["c", "b"]]));
    expect(renamesSince({ ...rounds, now: renamed("a", "b") })).toEqual(new Map());
  });
});
