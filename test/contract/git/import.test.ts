import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPattern } from "#core/files/path-pattern.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { ImportLimits, ImportOutcome, ImportRequest, Mirror } from "#ports/git.ts";
import type { MemoryChanges } from "#testing/memory-git/memory-hub.ts";
import { at, identity, type Planted, type World, withMain, worktreeAt } from "./world.ts";
import { worlds } from "./worlds.ts";

const limits: ImportLimits = {
  entriesMax: 1000,
  changesMax: 20,
  fileBytesMax: 1000,
  changedBytesMax: 3000,
  pathBytesMax: 200,
};

const start: MemoryChanges = {
  "a.txt": "a\n",
  "src/b.txt": "b\n",
  "src/run": { mode: "100755", content: "#!/bin/sh\n" },
  link: { mode: "120000", content: "a.txt" },
  outside: { mode: "120000", content: "/etc/passwd" },
  sub: { mode: "160000", content: "2".repeat(40) },
  "big.bin": { mode: "100644", content: new Uint8Array(2000) },
  ".gitignore": "/out/\n*.log\n!keep.log\nnode_modules/\n",
  "tracked.log": "tracked\n",
  "out/tracked.txt": "tracked\n",
  ".github/workflows/ci.yml": "on: push\n",
  "AGENTS.md": "base rules\n",
};

function patterns(...texts: readonly string[]): ImportRequest["protectedPaths"] {
  return texts.map((text) => {
    const read = readPattern(text);
    if (read.kind !== "pattern") throw new Error(read.why);
    return read.pattern;
  });
}

function outcomeOf(outcome: ImportOutcome): readonly string[] {
  switch (outcome.kind) {
    case "imported":
      return outcome.changes.map(({ kind, path }) => `${kind} ${path.text}`);
    case "refused":
      return outcome.problems.map(({ why, path }) => `${why}: ${path.text}`);
    default:
      return [outcome.kind];
  }
}

describe.each(worlds)("an import with $name", ({ open }) => {
  let world: World;
  let mirror: Mirror;
  let first: HeadSha;
  let folder: string;

  beforeEach(async () => {
    world = await open();
    ({ mirror, first } = await withMain(world, start));
    ({ folder } = await worktreeAt(mirror, first));
  });
  afterEach(() => world.close());

  function plant(path: string | Uint8Array, what: Planted): void {
    world.folders.plant(folder, path, what);
  }

  function importIt(change: Partial<ImportRequest> = {}): Promise<ImportOutcome> {
    const rules = { protectedPaths: [], ciPaths: "protected", keptPaths: [] } as const;
    return mirror.importResult({ folder, commit: first, limits, ...rules, ...change });
  }

  async function problems(): Promise<readonly string[]> {
    const outcome = await importIt();
    if (outcome.kind !== "refused") throw new Error(`not refused, but ${outcome.kind}`);
    return outcomeOf(outcome);
  }

  it("of an untouched folder changes nothing", async () => {
    expect(await importIt()).toEqual({ kind: "unchanged", ignoredCount: 0 });
  });

  it("finds everything that changed, and makes the tree of it", async () => {
    plant("a.txt", "changed\n");
    plant("new/deep/file.txt", "new\n");
    plant("src/b.txt", { kind: "file", content: "b\n", isExecutable: true });
    plant("link", "a file now\n");
    world.folders.remove(folder, "src/run");
    plant("src/run/inside", "a folder now\n");
    const outcome = await importIt();
    expect(outcomeOf(outcome)).toEqual([
      "modified a.txt",
      "retyped link",
      "added new/deep/file.txt",
      "mode_changed src/b.txt",
      "deleted src/run",
      "added src/run/inside",
    ]);
    if (outcome.kind !== "imported") throw new Error(outcome.kind);
    const commit = await mirror.commitTree({
      tree: outcome.tree,
      parents: [first],
      message: "fix",
      identity,
      at: at(3),
    });
    const list = await mirror.listTree({ commit, folder: "", entriesMax: 100 });
    expect(list.kind === "tree" && list.entries.map(({ path, mode }) => `${mode} ${path.text}`)).toEqual([
      "100644 .github/workflows/ci.yml",
      "100644 .gitignore",
      "100644 AGENTS.md",
      "100644 a.txt",
      "100644 big.bin",
      "100644 link",
      "100644 new/deep/file.txt",
      "100644 out/tracked.txt",
      "120000 outside",
      "100755 src/b.txt",
      "100644 src/run/inside",
      "160000 sub",
      "100644 tracked.log",
    ]);
    const read = await mirror.readFile({ commit, path: "a.txt", bytesMax: 100 });
    expect(read).toMatchObject({ kind: "file", bytes: new Uint8Array(Buffer.from("changed\n")) });
  });

  it("gives the same tree for the same files", async () => {
    plant("a.txt", "changed\n");
    const [one, two] = [await importIt(), await importIt()];
    expect(one).toEqual(two);
    expect(one.kind).toBe("imported");
  });

  it("takes the bytes as they are, whatever the attributes say", async () => {
    plant(".gitattributes", "* text eol=lf ident working-tree-encoding=UTF-16 filter=x\n");
    plant("crlf.txt", "one\r\ntwo $Id: x $\r\n");
    const outcome = await importIt();
    if (outcome.kind !== "imported") throw new Error(outcome.kind);
    const request = { tree: outcome.tree, parents: [first], message: "m", identity, at: at(3) };
    const read = await mirror.readFile({ commit: await mirror.commitTree(request), path: "crlf.txt", bytesMax: 100 });
    expect(read.kind === "file" && Buffer.from(read.bytes).toString()).toBe("one\r\ntwo $Id: x $\r\n");
  });

  it("leaves out what is ignored, unless the base has it", async () => {
    plant("out/made.js", "made\n");
    plant("out/tracked.txt", "changed\n");
    plant("node_modules/x/.git/config", "nested, but ignored\n");
    plant("debug.log", "log\n");
    plant("keep.log", "kept\n");
    plant("tracked.log", "changed\n");
    const outcome = await importIt();
    expect(outcomeOf(outcome)).toEqual(["added keep.log", "modified out/tracked.txt", "modified tracked.log"]);
    expect(outcome).toMatchObject({ ignoredCount: 3 });
  });

  it("does not look at the git directory in the folder, whatever it is", async () => {
    plant(".git/config", "[core]\n\tbare = true\n");
    plant(".git/hooks/pre-commit", { kind: "file", content: "#!/bin/sh\n", isExecutable: true });
    expect(await importIt()).toEqual({ kind: "unchanged", ignoredCount: 0 });
    world.folders.remove(folder, ".git");
    plant(".git", "gitdir: /somewhere/else\n");
    expect(await importIt()).toEqual({ kind: "unchanged", ignoredCount: 0 });
    world.folders.remove(folder, ".git");
    plant(".git", { kind: "link", target: "/somewhere/else" });
    expect(await importIt()).toEqual({ kind: "unchanged", ignoredCount: 0 });
  });

  it("keeps what Drover itself replaced", async () => {
    plant("AGENTS.md", "rules of the base branch\n");
    plant(".claude/settings.json", "{}\n");
    plant("a.txt", "changed\n");
    const kept = { keptPaths: patterns("/AGENTS.md", "/.claude/") };
    expect(outcomeOf(await importIt(kept))).toEqual(["modified a.txt"]);
    world.folders.remove(folder, "AGENTS.md");
    expect(outcomeOf(await importIt(kept))).toEqual(["modified a.txt"]);
  });

  /** Plants one thing after the other and takes each away again. */
  async function problemsOfEach(planted: readonly (readonly [string, Planted])[]): Promise<readonly unknown[]> {
    const seen = [];
    for (const [path, what] of planted) {
      plant(path, what);
      seen.push([path, await importIt()] as const);
      world.folders.remove(folder, path.includes("/") ? path.slice(0, path.indexOf("/")) : path);
    }
    return seen.map(([path, outcome]) => ({ path, outcome: outcomeOf(outcome) }));
  }

  it("refuses a link to anything outside", async () => {
    const targets = [
      "/etc/passwd",
      "../secret",
      "src/../../../secret",
      ".git/config",
      ".GIT/config",
      "outside",
      "C:\\secret",
      "evil",
    ];
    for (const target of targets) {
      const [seen] = await problemsOfEach([["evil", { kind: "link", target }]]);
      expect({ target, seen }).toEqual({ target, seen: { path: "evil", outcome: ["link_outside: evil"] } });
    }
  });

  it("refuses two links that lead outside together", async () => {
    plant("src/up", { kind: "link", target: ".." });
    plant("evil", { kind: "link", target: "src/up/.." });
    expect(await problems()).toEqual(["link_outside: evil"]);
  });

  it("takes links that stay inside, and leaves old ones alone", async () => {
    plant("src/ok", { kind: "link", target: "../a.txt" });
    plant("src/dangling", { kind: "link", target: "not/there" });
    expect(outcomeOf(await importIt())).toEqual(["added src/dangling", "added src/ok"]);
  });

  it("refuses pipes and second names of other content", async () => {
    plant("pipe", { kind: "pipe" });
    plant("src/hard", { kind: "hard_link" });
    const outcome = await importIt();
    expect(new Set(outcomeOf(outcome))).toEqual(new Set(["special_file: pipe", "hard_link: src/hard"]));
  });

  it("refuses nested repositories of every shape", async () => {
    plant("inner/.git/HEAD", "ref: refs/heads/main\n");
    plant("other/.git", "gitdir: ../elsewhere\n");
    plant("loud/.GIT/HEAD", "ref: refs/heads/main\n");
    plant("bare/HEAD", "ref: refs/heads/main\n");
    plant("bare/objects/x", "");
    plant("bare/refs/x", "");
    plant("bare/config", "[core]\n\tfsmonitor = touch canary\n");
    const outcome = await importIt();
    expect(outcome.kind).toBe("refused");
    expect(new Set(outcomeOf(outcome))).toEqual(
      new Set([
        "nested_repository: inner",
        "nested_repository: other",
        "nested_repository: loud",
        "nested_repository: bare/HEAD",
        "nested_repository: bare/config",
        "nested_repository: bare/objects/x",
        "nested_repository: bare/refs/x",
      ]),
    );
  });

  it("refuses a folder that is itself made into a bare repository", async () => {
    for (const path of ["HEAD", "objects/x", "refs/x"]) plant(path, "x\n");
    expect(await problems()).toEqual([
      "nested_repository: HEAD",
      "nested_repository: objects/x",
      "nested_repository: refs/x",
    ]);
  });

  it("refuses a filled or replaced submodule, and does not mind a missing one", async () => {
    world.folders.remove(folder, "sub");
    expect(await importIt()).toMatchObject({ kind: "unchanged" });
    plant("sub/inside.txt", "x\n");
    expect(await problems()).toEqual(["submodule_changed: sub"]);
    world.folders.remove(folder, "sub");
    plant("sub", "a file\n");
    expect(await problems()).toEqual(["submodule_changed: sub"]);
  });

  it("refuses to write what git, Drover and the CI read", async () => {
    const paths = [
      ".gitmodules",
      "deep/.gitmodules",
      ".gitea/workflows/x.yaml",
      ".forgejo/workflows/x.yaml",
      ".gitlab-ci.yml",
      "Jenkinsfile",
      ".drover.yml",
      ".GIT/config",
      "git~1/config",
      ".GitHub/Workflows/evil.yml",
      ".github/workflows/evil.yml",
    ];
    for (const path of paths) {
      const [seen] = await problemsOfEach([[path, "evil\n"]]);
      expect(seen).toMatchObject({ path, outcome: expect.arrayContaining([`protected_path: ${path}`]) });
    }
  });

  it("refuses to take a protected file away, and protects what it is told to", async () => {
    world.folders.remove(folder, ".github");
    expect(await problems()).toEqual(["protected_path: .github/workflows/ci.yml"]);
    expect(outcomeOf(await importIt({ ciPaths: "free" }))).toEqual(["deleted .github/workflows/ci.yml"]);
    plant("src/b.txt", "changed\n");
    const told = await importIt({ ciPaths: "free", protectedPaths: patterns("/src/") });
    expect(outcomeOf(told)).toEqual(["protected_path: src/b.txt"]);
  });

  it("refuses names that people cannot see or systems disagree about", async () => {
    const names = ["line\nbreak", "bell\u0007", "\u001b[31mred", "evil\u202etxt.exe", "back\\slash", "dot.", "space "];
    const seen = await problemsOfEach(names.map((path) => [path, "x\n"]));
    expect(seen).toEqual(names.map((path) => ({ path, outcome: [`odd_name: ${path}`] })));
  });

  it("refuses a name that is not UTF-8", async () => {
    plant(new Uint8Array([0x78, 0xff, 0xfe]), "x\n");
    expect(await problems()).toEqual(["odd_name: x\ufffd\ufffd"]);
  });

  it("refuses names that are one on other systems", async () => {
    plant("A.TXT", "x\n");
    plant("Src/c.txt", "x\n");
    const outcome = await importIt();
    expect(new Set(outcomeOf(outcome))).toEqual(new Set(["case_collision: A.TXT", "case_collision: Src/c.txt"]));
  });

  it("holds every limit", async () => {
    plant("large", "x".repeat(1001));
    expect(await problems()).toEqual(["fileBytesMax: large"]);
    world.folders.remove(folder, "large");
    const long = `${"d".repeat(120)}/${"f".repeat(120)}`;
    plant(long, "x\n");
    expect(await problems()).toEqual([`pathBytesMax: ${long}`]);
    world.folders.remove(folder, "d".repeat(120));
    for (let count = 0; count < 21; count += 1) plant(`many/${count}`, "x\n");
    expect(await problems()).toEqual(["changesMax: many/0"]);
    expect(outcomeOf(await importIt({ limits: { ...limits, entriesMax: 30 } }))).toHaveLength(1);
    world.folders.remove(folder, "many");
    for (const name of ["1", "2", "3", "4"]) plant(`heavy/${name}`, "x".repeat(900));
    expect(outcomeOf(await importIt())).toHaveLength(1);
    expect((await importIt()).kind).toBe("refused");
  });

  it("lets a large file of the base stay, and not change", async () => {
    expect(await importIt()).toMatchObject({ kind: "unchanged" });
    plant("big.bin", { kind: "file", content: new Uint8Array(2000).fill(1) });
    expect(await problems()).toEqual(["fileBytesMax: big.bin"]);
    plant("big.bin", { kind: "file", content: new Uint8Array(2001) });
    expect(await problems()).toEqual(["fileBytesMax: big.bin"]);
  });

  it("does not take a folder that is not there for one that was emptied", async () => {
    const outcome = await importIt({ folder: "/nonexistent/folder" });
    expect(outcomeOf(outcome)).toEqual(["unreadable: "]);
  });

  it("lists a bounded number of problems", async () => {
    for (let count = 0; count < 150; count += 1) plant(`bad${count}\n`, "x\n");
    const outcome = await importIt({ limits: { ...limits, changesMax: 1000 } });
    expect(outcomeOf(outcome)).toHaveLength(100);
  });
});
