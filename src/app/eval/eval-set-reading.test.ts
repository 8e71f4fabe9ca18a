import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readSet } from "#app/eval/eval-set.ts";
import { viewCase } from "#app/eval/review-case.ts";
import { addedFile, cleanCase, type Files, loopCase, makeFolder } from "#testing/eval-set-makers.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folderOf(files: Files): Promise<string> {
  const folder = await makeFolder(files);
  folders.push(folder);
  return folder;
}

async function problemsOf(files: Files): Promise<readonly string[]> {
  const { problems } = await readSet(await folderOf(files));
  return problems.map(({ file, what }) => `${file}: ${what}`);
}

describe("a set", () => {
  it("is every folder that holds a case, however deep, in the order of the names", async () => {
    const folder = await folderOf({
      ...loopCase("logic/b"),
      ...loopCase("logic/a"),
      ...cleanCase("clean"),
      ".git/case.yml": "",
      "README.md": "# Cases\n",
    });
    const { cases, problems } = await readSet(folder);
    expect(problems).toEqual([]);
    expect(cases.map((each) => each.case.name)).toEqual(["clean", "logic/a", "logic/b"]);
  });

  it("may be one case alone, for whoever is writing it", async () => {
    const folder = await folderOf(loopCase("logic/a"));
    const { cases } = await readSet(join(folder, "logic/a"));
    expect(cases.map((each) => each.case.name)).toEqual(["a"]);
  });

  it("that is not there, or holds nothing, is refused", async () => {
    await expect(readSet("/no/such/folder")).rejects.toThrow("there is no folder /no/such/folder");
    await expect(readSet(await folderOf({ "README.md": "" }))).rejects.toThrow("holds no case");
  });
});

describe("what is wrong with cases", () => {
  it("is said of all of them at once, with the file and what to do", async () => {
    expect(
      await problemsOf({
        "a/change.diff": "hello\n",
        ...loopCase("b", { "case.yml": "title: T\nclean: true\nfindngs: []\n" }),
        ...loopCase("c", { "case.yml": "title: T\nfindings:\n  - { path: src/z.ts, what: W }\n" }),
        "d/case.yml": "title: T\nclean: true\n",
        ...loopCase("e", { "change.diff": "" }),
        ...loopCase("f"),
      }),
    ).toEqual([
      "a/case.yml: is missing. Every case has a change.diff and a case.yml.",
      expect.stringMatching(/^a\/change\.diff: cannot be read \(byte 0\): .* Make it with `git diff`\.$/),
      'b/case.yml: there is no key "findngs"; is "findings" meant?',
      'c/case.yml: findings.0: the change has no file "src/z.ts". It has: src/a.ts.',
      "d/change.diff: is missing. Every case has a change.diff and a case.yml.",
      "e/change.diff: is empty. A case needs a change.",
    ]);
  });

  it("includes files that are not those of the diff", async () => {
    expect(
      await problemsOf(loopCase("a", { "after/src/a.ts": "for (const page of pages) {\n  await save(page);\n}\n" })),
    ).toEqual(["a/after/src/a.ts: line 2 is not what the diff says. Make the diff again."]);
  });

  it("includes links, which could lead anywhere", async () => {
    const folder = await folderOf(loopCase("a", { "after/b.ts": "" }));
    await symlink("/etc/passwd", join(folder, "a/after/secrets"));
    expect((await readSet(folder)).problems).toEqual([
      { file: "a/after", what: expect.stringContaining("secrets is no plain file") },
    ]);
  });
});

describe("the digest of a case", () => {
  it("is another one as soon as anything of the case is", async () => {
    const sets: readonly Files[] = [
      loopCase("a"),
      loopCase("a", { "case.yml": "title: Other\nclean: true\n" }),
      loopCase("a", { "change.diff": addedFile("src/a.ts", ["for (;;) {", "  save(page);", "}"]) }),
      loopCase("a", { "after/b.ts": "1" }),
      loopCase("a", { "after/b.ts": "2" }),
      loopCase("a", { "before/b.ts": "1" }),
    ];
    const digests = await Promise.all(
      sets.map(async (files) => (await readSet(await folderOf(files))).cases.map(({ digest }) => digest)),
    );
    expect(new Set(digests.flat()).size).toBe(sets.length);
    const again = await readSet(await folderOf(loopCase("a")));
    expect(again.cases.map(({ digest }) => digest)).toEqual(digests[0]);
  });

  it("of what a reviewer sees stays the same while the expectations are being written", async () => {
    const entry = "  - { path: src/a.ts, lines: 1, what: Wrong. }\n";
    const files = { "case.yml": `title: Save all pages\nnote: New.\ntags: [loops]\nfindings:\n${entry}` };
    const [before, after] = await Promise.all(
      [loopCase("a"), loopCase("a", files)].map(async (set) => (await readSet(await folderOf(set))).cases[0]),
    );
    expect(after?.seenDigest).toBe(before?.seenDigest);
    expect(after?.digest).not.toBe(before?.digest);
  });
});

describe("the files of a case", () => {
  it("are all that a reviewer can read, by the names that the case gives them", async () => {
    const { cases } = await readSet(
      await folderOf(loopCase("a", { "after/src/b/c.ts": "after", "after/d.ts": "", "before/d.ts": "before" })),
    );
    const [only] = cases;
    if (only === undefined) throw new Error("the case is wrong");
    const { readFile, repository } = viewCase(only);
    const text = async (side: "old" | "new", path: string) => (await readFile(side, path))?.length ?? null;
    expect(await text("new", "src/b/c.ts")).toBe(5);
    expect(await text("old", "d.ts")).toBe(6);
    expect(await text("old", "src/b/c.ts")).toBeNull();
    expect(await text("new", "../case.yml")).toBeNull();
    expect(await text("new", "/etc/passwd")).toBeNull();
    expect(await repository?.listFiles("")).toEqual({ paths: ["d.ts", "src/b/c.ts"], isCut: false });
    expect(await repository?.listFiles("src")).toEqual({ paths: ["src/b/c.ts"], isCut: false });
    expect(await repository?.listFiles("sr")).toBeNull();
  });

  it("are an empty list if the case has none", async () => {
    const { cases } = await readSet(await folderOf(loopCase("a")));
    expect(cases.map((each) => viewCase(each).repository)).toEqual([undefined]);
  });
});
