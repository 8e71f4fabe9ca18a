import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import type { GrepRead, Mirror } from "#ports/git.ts";
import { memoryWorld } from "./memory-world.ts";
import { realWorld } from "./real-world.ts";
import { type World, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

interface Asked {
  readonly text: string;
  readonly folder?: string;
  readonly hitsMax?: number;
  readonly isSkipped?: (path: string) => boolean;
}

async function grep(mirror: Mirror, commit: HeadSha, asked: Asked): Promise<GrepRead> {
  return await mirror.grep({ commit, folder: "", hitsMax: 50, isSkipped: skipNothing, ...asked });
}

function skipNothing(): boolean {
  return false;
}

function skipA(path: string): boolean {
  return path.startsWith("a");
}

/** `path:line:text`, then files that are only named, then whether there is more. */
function shown(read: GrepRead): readonly string[] {
  if (read.kind !== "hits") return [read.kind];
  return [
    ...read.hits.map(({ path, line, text }) => `${path.text}:${line}:${text}`),
    ...read.alsoIn.map(({ text }) => `also ${text}`),
    ...(read.isCut ? ["cut"] : []),
  ];
}

describe.each(worlds)("a search in $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  it("finds lines by a text in either case, in the order of paths and lines", async () => {
    const { mirror, first } = await withMain(world, {
      "src/b.ts": "one\nsaveOrder(a);\n\nSAVEORDER();",
      "src/a/c.ts": "// saveorder\r\n",
      "src-a": "no",
      "z.ts": "await saveOrder(b); saveOrder(c);\n",
    });
    expect(shown(await grep(mirror, first, { text: "saveOrder" }))).toEqual([
      "src/a/c.ts:1:// saveorder",
      "src/b.ts:2:saveOrder(a);",
      "src/b.ts:4:SAVEORDER();",
      "z.ts:1:await saveOrder(b); saveOrder(c);",
    ]);
    expect(shown(await grep(mirror, first, { text: "nobody wrote this" }))).toEqual([]);
    expect(shown(await grep(mirror, HeadSha.parse("0".repeat(40)), { text: "a" }))).toEqual(["unknown_commit"]);
  });

  it("looks only below a folder or into a file, and only names files where it is told so", async () => {
    const { mirror, first } = await withMain(world, { "a/x": "find", "a/y/z": "find", "ab/x": "find", "*": "find" });
    const look = async (folder: string): Promise<readonly string[]> =>
      shown(await grep(mirror, first, { text: "find", folder }));
    expect(await look("a")).toEqual(["a/x:1:find", "a/y/z:1:find"]);
    expect(await look("a/x")).toEqual(["a/x:1:find"]);
    expect(await look("*")).toEqual(["*:1:find"]);
    for (const folder of ["none", "..", "/a", "a/", "a/../ab", ":(top)a", "-a", "a\0b", "\ud800"]) {
      expect({ folder, found: await look(folder) }).toEqual({ folder, found: [] });
    }
    expect(shown(await grep(mirror, first, { text: "find", isSkipped: skipA }))).toEqual([
      "*:1:find",
      "also a/x",
      "also a/y/z",
      "also ab/x",
    ]);
  });

  it("takes every text to the letter", async () => {
    const texts = [
      "-e",
      "--open-files-in-pager=touch x",
      ".*",
      "[a-z]+",
      "a\\b",
      "$(id)",
      "'",
      '"',
      "^",
      "(?i)",
      "\\Q",
      "ä",
      "Ω",
      "字",
      "a b",
      "\tx",
      ":!",
      "\\E.",
    ];
    const { mirror, first } = await withMain(world, { f: `${texts.join("\n")}\nplain\n` });
    for (const [index, text] of texts.entries()) {
      const found = shown(await grep(mirror, first, { text }));
      expect({ text, found }).toMatchObject({ text, found: expect.arrayContaining([`f:${index + 1}:${text}`]) });
      expect(found).not.toContain(`f:${texts.length + 1}:plain`);
    }
    for (const text of ["", "a\nb", "a\0", "\r", "\ud800", "x".repeat(500)]) {
      await expect(grep(mirror, first, { text })).rejects.toMatchObject({ kind: "bad_request" });
    }
  });

  it("sees plain files alone: no link is followed, no binary file shown, and no attribute hides one", async () => {
    const { mirror, first } = await withMain(world, {
      link: { mode: "120000", content: "secret/needle" },
      sub: { mode: "160000", content: "2".repeat(40) },
      "a.bin": { mode: "100644", content: new Uint8Array([...Buffer.from("needle"), 0, 1]) },
      "late.bin": { mode: "100644", content: new Uint8Array([...Buffer.from(`needle${" ".repeat(9_000)}`), 0]) },
      "latin.txt": { mode: "100755", content: new Uint8Array([0xe9, ...Buffer.from(" needle")]) },
      "src/x.ts": "needle",
      ".gitattributes": "* -diff\n*.ts binary\n",
    });
    const found = shown(await grep(mirror, first, { text: "needle" }));
    expect(found.map((line) => line.replace(/ {2,}…?$/, ""))).toEqual([
      "late.bin:1:needle",
      "latin.txt:1:\ufffd needle",
      "src/x.ts:1:needle",
    ]);
  });

  it("shows what stands around the text in a long line, and only names a huge file", async () => {
    const { mirror, first } = await withMain(world, {
      "a.min.js": `${"x".repeat(100_000)}needle${"ä".repeat(100_000)}\nneedle`,
      "huge.json": `${"y".repeat(2_100_000)}needle`,
      "odd\nname": "needle",
    });
    const read = await grep(mirror, first, { text: "needle" });
    if (read.kind !== "hits") throw new Error(read.kind);
    expect(read.hits.map(({ path, line }) => `${path.text}:${line}`)).toEqual(["a.min.js:1", "a.min.js:2"]);
    expect(read.hits[0]?.text).toMatch(/^…x+needleä+…$/);
    expect(read.hits[0]?.text.length).toBeLessThan(310);
    expect(read.alsoIn.map(({ text }) => text)).toEqual(["huge.json", "odd\nname"]);
    expect(read.isCut).toBe(false);
  });

  it("ends at its limit, and says so", async () => {
    const { mirror, first } = await withMain(world, { a: "n\nn\nn\n", b: "n\n" });
    expect(shown(await grep(mirror, first, { text: "n", hitsMax: 2 }))).toEqual(["a:1:n", "a:2:n", "cut"]);
    expect(shown(await grep(mirror, first, { text: "n", hitsMax: 4 }))).toEqual(["a:1:n", "a:2:n", "a:3:n", "b:1:n"]);
    const many = Object.fromEntries(Array.from({ length: 320 }, (_, index) => [`f${1_000 + index}`, "n"]));
    const { mirror: full, first: last } = await withMain(world, many);
    const read = await grep(full, last, { text: "n", hitsMax: 1_000 });
    expect(read).toMatchObject({ isCut: true });
    expect(shown(read)).toHaveLength(301);
  });

  it("is given up when nobody wants it any more", async () => {
    const { mirror, first } = await withMain(world, { a: "n" });
    const request = { commit: first, text: "n", folder: "", hitsMax: 1, isSkipped: skipNothing };
    await expect(mirror.grep({ ...request, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: "cancelled" });
  });
});

it("a search in memory finds what git's own finds, whatever is written and asked", async () => {
  const [real, memory] = [await realWorld(), await memoryWorld()];
  const letters = fc.constantFrom("a", "A", "b", "é", "\n", "\r\n", "\t", ".", "*", " ", "\0", "字", "K");
  const text = fc.array(letters, { maxLength: 30 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom("a", "b/c", "b/d", "é", "b.x"), text, { minKeys: 1 }),
      fc.array(
        letters.filter((letter) => !/[\n\r\0]/.test(letter)),
        { minLength: 1, maxLength: 2 },
      ),
      fc.constantFrom("", "b", "é"),
      async (files, asked, folder) => {
        const found = await Promise.all(
          [real, memory].map(async (world) => {
            const { mirror, first } = await withMain(world, files);
            return shown(await grep(mirror, first, { text: asked.join(""), folder }));
          }),
        );
        expect(found[0]).toEqual(found[1]);
      },
    ),
    { numRuns: 12 },
  );
  for (const world of [real, memory]) world.close();
});
