import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type IgnoreRules, isIgnored, readIgnoreRules } from "#git/scan-folder.ts";
import { plainGit } from "./plain-git.ts";
import { type RealWorld, realWorld } from "./real-world.ts";

const paths = [
  "a",
  "ab",
  "b/a",
  "b/ab",
  "b/c/a",
  "b/c/ab.o",
  "b/c/d/x.o",
  "c/a/b",
  "[a]",
  "a*",
  "a\\b",
  "-",
  "]",
  "x y",
  "x ",
  "#a",
  "!a",
  "B/A",
  "f0",
  "f9.log",
  "gr\u00fc\u00dfe",
];

/** Rules that are easily misread, then some put together by chance. */
const files: readonly string[] = [
  "a\n",
  "/a\n",
  "a/\n",
  "b/c\n",
  "b/c/\n",
  "*.o\n!x.o\n",
  "b/*\n",
  "b/**\n",
  "**/a\n",
  "**/c/**\n",
  "b/**/a\n",
  "a**\n",
  "**\n",
  "*\n!*/\n!a\n",
  "b\n!b/a\n",
  "?\n",
  "[ab]\n",
  "[!a]\n",
  "[^a]*\n",
  "[]]\n",
  "[a-c]/a\n",
  "[a\n",
  "\\[a\\]\n",
  "a\\*\n",
  "a\\\\b\n",
  "a\\\n",
  "[[:digit:]f]*\n",
  "f[[:digit:]]\n",
  "f[[:nope:]]\n",
  "[--0]\n",
  "x\\ y\n",
  "x \n",
  "x\\ \n",
  "\\#a\n",
  "\\!a\n",
  "#a\n",
  "a\r\nb\r\n",
  "\ufeffa\n",
  "b/../a\n",
  "//a\n",
  "/\n",
  "!\n",
  "gr*e\n",
  "gr??\u00dfe\n",
  "b**/c\n",
  "**b/a\n",
  "b/**c/a\n",
  "b/c**/\n",
];

const parts = ["a", "b", "c", "/", "*", "**", "?", "[a-c]", "!", "\\", ".o", " ", "[", "]", "/**/", "-"];

function randomRules(seed: number): string {
  let state = seed;
  const pick = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const lines = Array.from({ length: 1 + pick(4) }, () =>
    Array.from({ length: 1 + pick(6) }, () => parts[pick(parts.length)]).join(""),
  );
  return `${lines.join("\n")}\n`;
}

/** Asks from the top, as a walk through the folders does. */
function ours(rules: readonly IgnoreRules[], path: string): boolean {
  const bytes = Buffer.from(path).toString("latin1");
  const segments = bytes.split("/");
  return segments.some((_, index) => {
    const part = segments.slice(0, index + 1).join("/");
    const inForce = rules.filter(({ folder }) => folder === "" || part.startsWith(`${folder}/`));
    return isIgnored(inForce, part, index + 1 < segments.length);
  });
}

describe("ignored files", () => {
  let world: RealWorld;
  beforeEach(async () => {
    world = await realWorld();
    plainGit(world.root, ["init", "--quiet", "."]);
    for (const path of paths) {
      const full = join(world.root, path);
      if (path === "a" || path === "c/a/b") mkdirSync(dirname(full), { recursive: true });
      else mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, "");
    }
  });
  afterEach(() => world.close());

  function theirs(): ReadonlySet<string> {
    const input = Buffer.from(paths.join("\0"));
    try {
      const output = plainGit(world.root, ["check-ignore", "-z", "--stdin", "--no-index"], { input });
      return new Set(output.toString().split("\0"));
    } catch {
      // It ends with 1 where nothing is ignored.
      return new Set();
    }
  }

  it("are those that git ignores", () => {
    const random = Array.from({ length: 120 }, (_, index) => randomRules(index + 1));
    let ignored = 0;
    for (const content of [...files, ...random]) {
      writeFileSync(join(world.root, ".gitignore"), content);
      const expected = theirs();
      const rules = [readIgnoreRules("", Buffer.from(content))];
      const found = paths.filter((path) => ours(rules, path));
      ignored += found.length;
      expect({ content, found }).toEqual({ content, found: paths.filter((path) => expected.has(path)) });
    }
    expect(ignored).toBeGreaterThan(300);
  });

  it("are decided by the nearest file that has something to say", () => {
    writeFileSync(join(world.root, ".gitignore"), "a\n/b/c/ab.o\n");
    writeFileSync(join(world.root, "b/.gitignore"), "!a\n/ab\nc/d/\n");
    const rules = [
      readIgnoreRules("", Buffer.from("a\n/b/c/ab.o\n")),
      readIgnoreRules("b", Buffer.from("!a\n/ab\nc/d/\n")),
    ];
    const expected = theirs();
    expect(paths.filter((path) => ours(rules, path))).toEqual(paths.filter((path) => expected.has(path)));
    expect(ours(rules, "b/ab")).toBe(true);
    expect(ours(rules, "b/a")).toBe(false);
  });
});
