import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPath, readPattern } from "#core/files/path-pattern.ts";

function matches(text: string, path: string): boolean {
  const read = readPattern(text);
  if (read.kind === "invalid") throw new Error(read.why);
  return matchesPath(read.pattern, path.split("/"));
}

describe("a pattern", () => {
  it.each([
    ["no slash: at any depth", "x.ts", ["x.ts", "a/x.ts", "a/b/x.ts", "x.ts/below"], ["y.ts", "xx.ts", "x.tsx"]],
    ["leading slash: at the root only", "/x", ["x", "x/y"], ["a/x"]],
    ["inner slash: at the root only", "a/x", ["a/x", "a/x/y"], ["b/a/x", "a"]],
    ["trailing slash: what is below a folder", "a/", ["a/x", "b/a/x"], ["a", "b/a"]],
    ["an asterisk does not cross a slash", "/a*c", ["ac", "abbc"], ["a/c", "ab"]],
    ["a question mark is one character", "/a?c", ["abc", "a\u{1F600}c"], ["ac", "abbc", "a/c"]],
    ["two asterisks cross slashes", "a/**/b", ["a/b", "a/x/b", "a/x/y/b", "a/b/c"], ["ab", "a/x", "x/a/b"]],
    ["two asterisks at the end: everything inside", "a/**", ["a/x", "a/x/y"], ["a", "b/a/x"]],
    ["two asterisks in a word are one", "/a**c", ["ac", "abc"], ["a/c"]],
    ["an escape makes a character plain", "/\\*\\?", ["*?"], ["ab"]],
    ["case matters", "/A", ["A"], ["a"]],
    ["a lone slash matches nothing", "/", [], ["a", "a/b"]],
  ])("with %s", (_, text, yes, no) => {
    expect(yes.filter((path) => !matches(text, path))).toEqual([]);
    expect(no.filter((path) => matches(text, path))).toEqual([]);
  });
});

/** Tries everything: slow, and too simple to be wrong in the same way. */
function naive(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === "**") return path.some((_, index) => naive(rest, path.slice(index))) || naive(rest, []);
  const [segment, ...below] = path;
  return segment !== undefined && naiveGlob(first, segment) && naive(rest, below);
}

function naiveGlob(glob: string, text: string): boolean {
  if (glob === "") return text === "";
  if (glob.startsWith("*")) return naiveGlob(glob.slice(1), text) || (text !== "" && naiveGlob(glob, text.slice(1)));
  return text !== "" && (glob[0] === "?" || glob[0] === text[0]) && naiveGlob(glob.slice(1), text.slice(1));
}

describe("matching", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
  const glob = fc
    .string({ unit: fc.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 5 })
    .filter((text) => !text.includes("**"));
  const segment = fc.oneof(glob, fc.constant("**"));

  it("finds what trying everything finds", () => {
    const segments = fc.array(segment, { minLength: 1, maxLength: 5 });
    const paths = fc.array(letters, { minLength: 1, maxLength: 5 });
    fc.assert(
      // A last segment that is plain text, between slashes, asks for exactly this path or something below it.
      fc.property(segments, letters, paths, (names, last, path) => {
        const wanted = [...names, last];
        const expected = naive(wanted, path) || naive([...wanted, "**"], path);
        expect(matches(`/${wanted.join("/")}`, path.join("/"))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it("ends at once where going back over every asterisk would never end", () => {
    const run = "a".repeat(2000);
    expect(matches(`/${"a*".repeat(500)}b`, run)).toBe(false);
    expect(matches(`/${"**/a/".repeat(300)}b`, Array.from({ length: 1000 }, () => "a").join("/"))).toBe(false);
    expect(matches(`/${"**/*a*a*/".repeat(100)}b`, Array.from({ length: 300 }, () => "aaaa").join("/"))).toBe(false);
  });
});
