import { expect, it } from "vitest";
import { makeDiffPath } from "#core/diff/diff-path.ts";
import { isGitDirectoryName, isUnsafeName } from "#git/unsafe-name.ts";

it.each([
  ".git",
  ".GIT",
  ".Git",
  ".git.",
  ".git ",
  ".git . .",
  "git~1",
  "GIT~2",
  ".g\u200cit",
  ".git\u200d",
  ".git::$INDEX_ALLOCATION",
  "\uff0egit",
])("the name %j means git's own folder on some file system", (name) => {
  expect(isGitDirectoryName(name)).toBe(true);
});

it.each([".gitignore", ".github", "git", "x.git", ".gi", "git~", "agit~1"])(
  "the name %j is safe in a working tree",
  (name) => {
    expect(isGitDirectoryName(name)).toBe(false);
  },
);

function odd(text: string): boolean {
  return isUnsafeName(makeDiffPath(new TextEncoder().encode(text)));
}

it("usual names of any language are safe, and names that hide something are not", () => {
  const usual = ["a", "a b", "gr\u00fc\u00dfe/\u732b.txt", "\u{1F404}", ".hidden", "a..b", "-x"];
  expect(usual.filter(odd)).toEqual([]);
  const hiding = [
    "a\n",
    "a\u0000",
    "a\u200b",
    "a\u202eb",
    "a.",
    "b./c",
    "a ",
    "a\\b",
    "../a",
    "/a",
    "a//b",
    "x".repeat(256),
  ];
  expect(hiding.filter((name) => !odd(name))).toEqual([]);
});
