import { expect, it } from "vitest";
import type { AnchorRange } from "#core/diff/anchor.ts";
import { encodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { giteaPosition, githubPosition } from "#core/diff/position.ts";

function parse(text: string, change: (bytes: Uint8Array) => void = () => undefined): Diff {
  const bytes = encodeText(text);
  change(bytes);
  const outcome = parseDiff(bytes);
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

const text = "--- a/x\n+++ b/x\n@@ -5,2 +5,3 @@\n five\n-six\n+6\n+7\n@@ -20 +21 @@\n-twenty\n+21\n";
const diff = parse(text);

function range(of: Diff, part: Partial<AnchorRange>): AnchorRange {
  const [file] = of.files;
  if (file === undefined) throw new Error("no file");
  return { file, side: "new", startLine: 6, endLine: 7, ...part };
}

it("names the last line, and the first one where there are several", () => {
  expect(githubPosition(diff, range(diff, {}))).toEqual({
    path: "x",
    line: 7,
    side: "RIGHT",
    start_line: 6,
    start_side: "RIGHT",
  });
  expect(githubPosition(diff, range(diff, { startLine: 7 }))).toEqual({ path: "x", line: 7, side: "RIGHT" });
  expect(githubPosition(diff, range(diff, { side: "old", startLine: 6, endLine: 6 }))).toEqual({
    path: "x",
    line: 6,
    side: "LEFT",
  });
});

it("gives Gitea one line of one side", () => {
  expect(giteaPosition(diff, range(diff, {}))).toEqual({ path: "x", new_position: 7 });
  expect(giteaPosition(diff, range(diff, { side: "old", startLine: 5, endLine: 6 }))).toEqual({
    path: "x",
    old_position: 6,
  });
});

it.each<readonly [string, Partial<AnchorRange>]>([
  ["a line outside the diff", { startLine: 8, endLine: 8 }],
  ["a line that only the other side shows", { side: "old", startLine: 7, endLine: 7 }],
  ["a range over two hunks", { startLine: 7, endLine: 21 }],
  ["a range the wrong way round", { startLine: 7, endLine: 6 }],
  ["no line at all", { startLine: Number.NaN, endLine: Number.NaN }],
  ["half a line", { startLine: 6.5, endLine: 6.5 }],
])("has no position for %s", (_, part) => {
  expect(githubPosition(diff, range(diff, part))).toBeUndefined();
  expect(giteaPosition(diff, range(diff, part))).toBeUndefined();
});

it("has no position in a file whose name cannot be said", () => {
  const odd = parse(text, (bytes) => {
    for (const at of [text.indexOf("x"), text.indexOf("x", 10)]) bytes[at] = 0xff;
  });
  expect(odd.files[0]?.newPath?.troubles).toEqual(["not_utf8"]);
  expect(githubPosition(odd, range(odd, {}))).toBeUndefined();
});
