import { expect, it } from "vitest";
import { decodeText, encodeText, viewOf } from "#core/diff/byte-scan.ts";
import { type HeaderChange, type HeaderNamesInput, readHeaderNames } from "#core/diff/git-header.ts";
import { readHeaderFields } from "#core/diff/header-fields.ts";
import type { NamePrefixes } from "#core/diff/name-prefix.ts";

interface Written {
  readonly header: string;
  readonly lines?: readonly string[];
  readonly change?: HeaderChange;
  readonly prefixes?: NamePrefixes;
}

function inputOf({ header, lines = [], change = "unstated", prefixes }: Written): HeaderNamesInput {
  const bytes = encodeText(`${header}\n${lines.map((line) => `${line}\n`).join("")}`);
  const to = encodeText(header).length;
  const read = readHeaderFields(bytes, viewOf(bytes), to + 1);
  if (read.kind !== "fields") throw new Error(read.reason);
  return { bytes, header: { from: 0, to }, fields: read.fields, change, prefixes };
}

function names(written: Written): string {
  const resolved = readHeaderNames(inputOf(written));
  if (resolved.kind !== "names") return resolved.why;
  const [old, next] = [decodeText(resolved.names.old), decodeText(resolved.names.new)];
  return old === next ? old : `${old} -> ${next}`;
}

it.each<readonly [string, Written]>([
  ["x", { header: "a/x b/x" }],
  ["x b/x", { header: "a/x b/x b/x b/x" }],
  ["a b/a b", { header: "a/a b/a b b/a b/a b" }],
  ["x", { header: "i/x w/x" }],
  ["x", { header: "w/x c/x" }],
  ["a/x", { header: "a/x a/x" }],
  ["with space", { header: "with space with space" }],
  ["x y", { header: "old/x y newer/x y" }],
  ["grüße", { header: String.raw`"a/gr\303\274\303\237e" "b/gr\303\274\303\237e"` }],
  ['q"', { header: String.raw`"a/q\"" "b/q\""` }],
])("a diff header names %j when git writes %j", (expected, written) => {
  expect(names(written)).toBe(expected);
});

it("rename and copy lines decide the names of a file, whatever the prefixes", () => {
  const lines = ["similarity index 90%", "rename from old name", "rename to new name"];
  for (const header of ["a/old name b/new name", "old name new name", "x/y/old name z/new name"]) {
    expect(names({ header, lines, change: "renamed" })).toBe("old name -> new name");
  }
  const copied = ["copy from a b/x", String.raw`copy to "\303\274"`];
  expect(names({ header: String.raw`a/a b/x "b/\303\274"`, lines: copied, change: "copied" })).toBe("a b/x -> ü");
});

it("the name lines decide where the header line is cut", () => {
  const lines = ["--- a/x b/x\t", "+++ b/x b/x\t"];
  expect(names({ header: "a/x b/x b/x b/x", lines })).toBe("x b/x");
  expect(names({ header: "a/one x b/two x", lines: ["--- a/one x\t", "+++ b/two x\t"] })).toBe("one x -> two x");
  expect(names({ header: "p/x/x q/x", lines: ["--- p/x/x", "+++ q/x"] })).toBe("x");
});

it("only the known prefixes are taken off the names of a header", () => {
  const prefixes = { old: "p/", new: "p/" };
  expect(names({ header: "p/x p/x", prefixes })).toBe("x");
  expect(names({ header: "p/a b p/a b", prefixes })).toBe("a b");
  expect(names({ header: "a/x b/x", prefixes })).toBe("inconsistent_names");
});

it.each<readonly [string, Written]>([
  ["two names in one line", { header: "a/x b/y", lines: ["--- a/x", "+++ b/z"] }],
  ["a rename of something else", { header: "a/x b/y", lines: ["rename from q", "rename to y"], change: "renamed" }],
  ["an added file with two names", { header: "a/x b/y", lines: ["--- /dev/null", "+++ b/y"], change: "added" }],
  ["an added empty file with two names", { header: "a/x b/y", change: "added" }],
])("a diff header with %s has inconsistent names", (_, written) => {
  expect(names(written)).toBe("inconsistent_names");
});

it("a header line that can be cut in several places has ambiguous names", () => {
  expect(names({ header: "a/one x b/two b/x" })).toBe("ambiguous_names");
  expect(names({ header: "nothing" })).toBe("inconsistent_names");
  expect(names({ header: "a/ b/" })).toBe("bad_name");
});

it("a diff header needs /dev/null on the side where the file does not exist, and there alone", () => {
  expect(names({ header: "a/x b/x", lines: ["--- a/x", "+++ b/x"], change: "added" })).toBe("contradictory_header");
  expect(names({ header: "a/x b/x", lines: ["--- a/x", "+++ /dev/null"] })).toBe("contradictory_header");
  expect(names({ header: "a/x b/x", lines: ["--- a/x", "+++ /dev/null"], change: "deleted" })).toBe("x");
});
