import { createHash } from "node:crypto";
import type { Entry, Tree } from "./made-repository.ts";

/** Chance that is the same for the same seed. */
export type Chance = (below: number) => number;

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pick<T>(chance: Chance, from: readonly [T, ...T[]]): T {
  return from[chance(from.length)] ?? from[0];
}

/** Names that git quotes, that hold spaces in bad places, or that look like a part of a header. */
const names = [
  "plain.txt",
  "src/deep/er/file.ts",
  "with space.txt",
  "a b/a b",
  "x b/x",
  "x b/x b/x",
  "b/x",
  "a/x",
  "tab\there",
  "new\nline",
  'quo"te',
  "back\\slash",
  " leading",
  "trailing ",
  "trailing-tab\t",
  "-dash",
  "--- a",
  "+++ b",
  "diff --git a",
  ".hidden",
  "dev/null",
  "bell\u0007",
  // UTF-8 as bytes: a letter, an emoji; then bytes that are no UTF-8.
  "gr\u00c3\u00bc\u00c3\u009fe",
  "\u00f0\u009f\u0090\u0084/\u00f0\u009f\u0090\u0084",
  "not-\u00ff\u00fe-utf8",
] as const;

/** Lines that look like a part of a diff, and some that do not. */
const contents = [
  "",
  " ",
  "{",
  "}",
  "return value;",
  "-- a/plain.txt",
  "++ b/plain.txt",
  "- minus",
  "+ plus",
  "@@ -1,3 +1,4 @@ function",
  "diff --git a/x b/x",
  "index 0123456..789abcd 100644",
  "\\ No newline at end of file",
  "GIT binary patch",
  "Binary files a/x and b/x differ",
  "Subproject commit 0123456789012345678901234567890123456789",
  "rename from x",
  "\tindented with a tab",
  "carriage\r",
  "not \u00ff utf8 \u00c3",
  "l\u00c3\u00b6ng ".repeat(400),
] as const;

/** A tree, and what somebody made of it: everything that git has a way to say. */
export function randomTrees(seed: number): { readonly base: Tree; readonly head: Tree } {
  const chance = chanceFrom(seed);
  const base = new Map<string, Entry>();
  const count = 4 + chance(names.length - 4);
  for (let made = 0; made < count; made += 1) base.set(pick(chance, names), randomEntry(chance));
  const head = new Map<string, Entry>();
  for (const [name, entry] of base) changeEntry(chance, head, name, entry);
  for (let made = chance(3); made > 0; made -= 1) head.set(`new/${pick(chance, names)}`, randomEntry(chance));
  return { base: withoutClashes(base), head: withoutClashes(head) };
}

/** A name cannot be a file and a folder at once. */
function withoutClashes(tree: Tree): Tree {
  const all = [...tree.keys()];
  return new Map([...tree].filter(([name]) => !all.some((other) => other.startsWith(`${name}/`))));
}

function randomEntry(chance: Chance): Entry {
  const kind = chance(12);
  if (kind === 0) return { mode: "120000", content: Buffer.from(`target-${chance(5)}`) };
  if (kind === 1) return { mode: "160000", content: submodule(chance) };
  if (kind === 2) return { mode: "100644", content: Buffer.alloc(0) };
  const mode = chance(4) === 0 ? "100755" : "100644";
  return { mode, content: kind === 3 ? randomBinary(chance) : randomText(chance) };
}

function submodule(chance: Chance): Buffer {
  return Buffer.from(
    createHash("sha1")
      .update(String(chance(1000)))
      .digest("hex"),
  );
}

function randomBinary(chance: Chance): Buffer {
  const values = Array.from({ length: chance(3000) }, () => chance(256));
  return Buffer.from([0, ...values]);
}

function randomText(chance: Chance): Buffer {
  return toText(
    chance,
    Array.from({ length: chance(4) === 0 ? chance(3) : chance(120) }, () => randomLine(chance)),
  );
}

function randomLine(chance: Chance): string {
  return chance(3) === 0 ? pick(chance, contents) : `line ${chance(40)}`;
}

function toText(chance: Chance, lines: readonly string[]): Buffer {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(""), "latin1");
  return chance(4) === 0 ? text.subarray(0, -1) : text;
}

function changeEntry(chance: Chance, head: Map<string, Entry>, name: string, entry: Entry): void {
  const change = chance(10);
  if (change === 0) return;
  if (change === 1) head.set(name, entry);
  else if (change === 2) head.set(name, { ...entry, mode: otherMode(entry.mode) });
  else if (change === 3) head.set(`moved/${name}`, entry);
  else if (change === 4) head.set(`moved/${name}`, editEntry(chance, entry));
  else if (change === 5) head.set(name, randomEntry(chance));
  else head.set(name, editEntry(chance, entry));
  if (chance(6) === 0) head.set(`copied/${name}`, entry);
}

function otherMode(mode: Entry["mode"]): Entry["mode"] {
  if (mode === "100644") return "100755";
  return mode === "100755" ? "100644" : mode;
}

function editEntry(chance: Chance, { mode, content }: Entry): Entry {
  if (mode === "160000") return { mode, content: submodule(chance) };
  const lines = content.toString("latin1").split("\n");
  for (let edits = 1 + chance(4); edits > 0; edits -= 1) {
    lines.splice(chance(lines.length + 1), chance(4), ...Array.from({ length: chance(4) }, () => randomLine(chance)));
  }
  const text = Buffer.from(lines.join("\n"), "latin1");
  return {
    mode: chance(8) === 0 ? otherMode(mode) : mode,
    content: mode === "120000" ? Buffer.from(`t${chance(99)}`) : text,
  };
}
