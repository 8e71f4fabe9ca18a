import { expect, it } from "vitest";
import { encodeText } from "#core/diff/byte-scan.ts";
import { makeDiffPath, pathBytes } from "#core/diff/diff-path.ts";

it.each([
  ["src/core/diff.ts", []],
  [".github/workflows/ci.yml", []],
  ["a b/grüße ..txt", []],
  ["../../etc/passwd", ["parent_segment"]],
  ["a/../b", ["parent_segment"]],
  ["/etc/passwd", ["absolute", "odd_segment"]],
  ["C:/x", ["absolute"]],
  ["..\\x", ["parent_segment", "backslash"]],
  ["a//b", ["odd_segment"]],
  ["a/./b", ["odd_segment"]],
  ["a/", ["odd_segment"]],
  ["sub/.GIT/config", ["git_folder"]],
  ["new\nline", ["control_character"]],
])("the path %j is reported as wrong and left as it is", (text, troubles) => {
  expect(makeDiffPath(encodeText(text))).toEqual({ text, troubles, bytes: undefined });
});

it("a path that is not UTF-8 keeps its bytes", () => {
  const name = Uint8Array.of(97, 0xff, 98);
  const path = makeDiffPath(name);
  expect(path).toEqual({ text: "a\uFFFDb", troubles: ["not_utf8"], bytes: name });
  expect(pathBytes(path)).toEqual(name);
  expect(makeDiffPath(encodeText("a\uFFFDb")).troubles).toEqual([]);
});
