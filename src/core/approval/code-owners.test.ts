import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CodeOwners,
  indexOwners,
  type Owner,
  ownerStepsMax,
  parseCodeOwners as parse,
} from "#core/approval/code-owners.ts";
import { matchesPath } from "#core/files/path-pattern.ts";

function parseCodeOwners(text: string): CodeOwners {
  const read = parse(text);
  if (read === undefined) throw new Error("it has too many lines");
  return read;
}

function owners(codeOwners: CodeOwners, path: string): readonly Owner[] {
  return indexOwners(codeOwners).ownersOf(path, { left: ownerStepsMax });
}

function isOwned(pattern: string, path: string): boolean {
  return owners(parseCodeOwners(`${pattern} @owner`), path).length > 0;
}

describe("reading the file", () => {
  it("tells people, teams and addresses apart", () => {
    const { rules, invalid } = parseCodeOwners("*.ts @alice @org/core dev@example.org");
    expect(invalid).toEqual([]);
    expect(rules[0]?.owners).toEqual([
      { kind: "person", login: "alice" },
      { kind: "team", name: "org/core" },
      { kind: "email", address: "dev@example.org" },
    ]);
  });

  it("skips comments, also behind a rule, blank lines, a byte order mark and Windows line ends", () => {
    const file = "\uFEFF# head\r\n\r\n  \t\r\n*.ts\t@alice # not @bob\r\n  #x @bob\r\n*.go #@bob\r\n";
    const { rules, invalid } = parseCodeOwners(file);
    expect(invalid).toEqual([]);
    expect(rules.map((rule) => rule.owners.length)).toEqual([1, 0]);
  });

  it("takes a hash within a word for part of it, and an escaped one anywhere", () => {
    expect(isOwned("a#b", "a#b")).toBe(true);
    expect(isOwned("\\#b", "#b")).toBe(true);
    expect(isOwned("/dir/\\#b", "dir/#b")).toBe(true);
  });

  it("takes escaped blanks for part of the path", () => {
    expect(isOwned("/my\\ docs/", "my docs/a b.md")).toBe(true);
    expect(isOwned("/my\\ docs/", "my/docs/a")).toBe(false);
  });

  it("skips each line that the dialect does not have, and tells which and why", () => {
    const file = ["!a @x", "a[bc] @x", "a] @x", "***/a @x", "a\\", "a\\/b @x", "a x", "a @", "a @x/y/z", "b @x"].join(
      "\n",
    );
    const { rules, invalid } = parseCodeOwners(file);
    expect(rules).toHaveLength(1);
    expect(invalid).toEqual([
      { line: 1, why: "negation" },
      { line: 2, why: "range" },
      { line: 3, why: "range" },
      { line: 4, why: "three_asterisks" },
      { line: 5, why: "dangling_escape" },
      { line: 6, why: "dangling_escape" },
      { line: 7, why: "owner" },
      { line: 8, why: "owner" },
      { line: 9, why: "owner" },
    ]);
  });

  it("leaves the paths of a skipped line to the rule before it", () => {
    const codeOwners = parseCodeOwners("* @alice\n!a @bob");
    expect(owners(codeOwners, "a")).toEqual([{ kind: "person", login: "alice" }]);
  });

  it("never throws, whatever the text, and accounts for each line at most once", () => {
    const noise = fc.string({
      unit: fc.constantFrom("a", "/", "*", "?", "\\", " ", "#", "@", "!", "[", "\n", "\r", "\uD83D"),
    });
    fc.assert(
      fc.property(noise, fc.string(), (text, path) => {
        const codeOwners = parseCodeOwners(text);
        owners(codeOwners, path);
        expect(codeOwners.rules.length + codeOwners.invalid.length).toBeLessThanOrEqual(text.split(/[\r\n]/).length);
      }),
    );
  });
});

describe("the owners of a path", () => {
  it("are those of the last rule that matches, alone", () => {
    const codeOwners = parseCodeOwners("* @a\n*.ts @b\n/src/ @c\n");
    const logins = (path: string): readonly unknown[] => owners(codeOwners, path);
    expect(logins("x.go")).toEqual([{ kind: "person", login: "a" }]);
    expect(logins("lib/x.ts")).toEqual([{ kind: "person", login: "b" }]);
    expect(logins("src/x.ts")).toEqual([{ kind: "person", login: "c" }]);
  });

  it("are nobody after a rule without owners, and where no rule matches", () => {
    const codeOwners = parseCodeOwners("/apps/ @a\n/apps/free\n");
    expect(owners(codeOwners, "apps/x/y")).toHaveLength(1);
    expect(owners(codeOwners, "apps/free/y")).toEqual([]);
    expect(owners(codeOwners, "README")).toEqual([]);
  });

  it("do not reach below a folder that a final asterisk names, unlike in gitignore", () => {
    expect(isOwned("docs/*", "docs/start.md")).toBe(true);
    expect(isOwned("docs/*", "docs/build/trouble.md")).toBe(false);
    expect(isOwned("/*", "a")).toBe(true);
    expect(isOwned("/*", "a/b")).toBe(false);
    expect(isOwned("*", "a/b/c")).toBe(true);
  });
});

/** One folder with one ignore file: each pattern in turn is asked about all paths. */
describe("compared with git where the dialects agree", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "code-owners-"));
    git(["init", "--quiet"], "");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function git(words: readonly string[], input: string): string {
    const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
    try {
      return execFileSync("git", words, { cwd: folder, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
    } catch (error) {
      // Exit status 1 means that no path matched.
      if (error instanceof Error && "status" in error && error.status === 1) return "";
      throw error;
    }
  }

  function matchedByGit(pattern: string, paths: readonly string[]): readonly string[] {
    writeFileSync(join(folder, ".gitignore"), `${pattern}\n`);
    const answer = git(["check-ignore", "--no-index", "-z", "--stdin"], paths.join("\0"));
    return answer.split("\0").filter((path) => path !== "");
  }

  const name = fc.constantFrom("a", "b", "ab", "a.b", "abab", ".a", "a b", "#a", "!a", "*", "\\");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const glob = fc.constantFrom(
    "a",
    "b",
    "ab",
    "*.b",
    "a*",
    "*b",
    "a*b*",
    "?",
    "a?",
    "*a*b",
    "\\*",
    "\\\\",
    "a\\ b",
    "\\#a",
    ".*",
    "**",
  );
  const pattern = fc
    .record({
      isRooted: fc.boolean(),
      names: fc.array(glob, { minLength: 1, maxLength: 4 }),
      isDirectory: fc.boolean(),
    })
    .map(({ isRooted, names, isDirectory }) => `${isRooted ? "/" : ""}${names.join("/")}${isDirectory ? "/" : ""}`);

  it.each([
    "a",
    "/a",
    "a/",
    "/a/",
    "a/b",
    "**/a",
    "a/**",
    "a/**/b",
    "**",
    "**/",
    "*/",
    "a/**/",
    "/**/b/",
    "**/**/a",
    "a/**/**",
    "*",
    "\\!a",
    "/",
  ])("matches what git matches for %s", (one) => {
    const paths = fc.sample(path, { seed: 7, numRuns: 150 });
    const unique = [...new Set(paths)].sort();
    expect(unique.filter((candidate) => isOwned(one, candidate))).toEqual([...matchedByGit(one, unique)].sort());
  });

  it("matches what git matches for generated patterns and paths", () => {
    fc.assert(
      fc.property(pattern, fc.uniqueArray(path, { minLength: 10, maxLength: 40 }), (one, paths) => {
        const ours = paths.filter((candidate) => isOwned(one, candidate));
        expect({ one, matched: ours.sort() }).toEqual({ one, matched: [...matchedByGit(one, paths)].sort() });
      }),
      { numRuns: 80 },
    );
  });
});

describe("the index of rules", () => {
  it("finds the rule that going through the file from its end finds", () => {
    const name = fc.constantFrom("a", "b", "*", "?", "a*", "**", "x.ts", "*.ts");
    const pattern = fc
      .tuple(fc.constantFrom("", "/"), fc.array(name, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/"))
      .map(([start, names, end]) => start + names.join("/") + end);
    const path = fc.array(fc.constantFrom("a", "b", "ab", "x.ts"), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), path, (patterns, segments) => {
        const file = parseCodeOwners(patterns.map((text, index) => `${text} @o${index}`).join("\n"));
        const expected = file.rules.findLast((rule) => matchesPath(rule.pattern, segments))?.owners ?? [];
        expect(owners(file, segments.join("/"))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it("holds only few of many rules that begin with folders against a path", () => {
    const rules = Array.from({ length: 20_000 }, (_, index) => `/services/team-${index}/ @t${index}`);
    const budget = { left: ownerStepsMax };
    const found = indexOwners(parseCodeOwners(rules.join("\n"))).ownersOf("services/team-7/src/a.ts", budget);
    expect(found).toEqual([{ kind: "person", login: "t7" }]);
    expect(ownerStepsMax - budget.left).toBeLessThan(20);
  });
});
