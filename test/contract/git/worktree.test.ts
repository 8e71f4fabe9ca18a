import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Mirror } from "#ports/git.ts";
import { plainGit } from "./plain-git.ts";
import { type RealWorld, realWorld } from "./real-world.ts";
import { main, roomy, type World, withMain, worktreeAt } from "./world.ts";
import { worlds } from "./worlds.ts";

const files = {
  "a.txt": "a\n",
  "src/deep/b.txt": "b\r\n",
  "bin/run": { mode: "100755", content: "#!/bin/sh\n" },
  link: { mode: "120000", content: "src/deep/b.txt" },
  sub: { mode: "160000", content: "2".repeat(40) },
} as const;

describe.each(worlds)("a worktree of $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  it("holds the files of the commit, byte for byte, whatever the attributes say", async () => {
    const attributes = "* text eol=crlf ident\n*.txt working-tree-encoding=UTF-16 filter=x\n";
    const { mirror, first } = await withMain(world, { ...files, ".gitattributes": attributes, id: "$Id$\n" });
    const { folder, home } = await worktreeAt(mirror, first);
    expect(world.folders.read(folder, "a.txt")).toBe("a\n");
    expect(world.folders.read(folder, "src/deep/b.txt")).toBe("b\r\n");
    expect(world.folders.read(folder, "id")).toBe("$Id$\n");
    expect(home.startsWith(folder)).toBe(false);
  });

  it("is fresh when the same job asks again", async () => {
    const { mirror, first } = await withMain(world, files);
    const { folder } = await worktreeAt(mirror, first);
    world.folders.plant(folder, "left.txt", "left over\n");
    await worktreeAt(mirror, first);
    expect(world.folders.read(folder, "left.txt")).toBeUndefined();
    expect(await world.git.pruneWorktrees([])).toBe(1);
  });

  it("goes when it is removed, once or twice, and when it is a leftover", async () => {
    const { mirror, first } = await withMain(world, files);
    const one = await worktreeAt(mirror, first, "one");
    const two = await worktreeAt(mirror, first, "two");
    const three = await worktreeAt(mirror, first, "three");
    await world.git.removeWorktree(one);
    await world.git.removeWorktree(one);
    expect(world.folders.read(one.folder, "a.txt")).toBeUndefined();
    expect(await world.git.pruneWorktrees([three])).toBe(1);
    expect(world.folders.read(two.folder, "a.txt")).toBeUndefined();
    expect(world.folders.read(three.folder, "a.txt")).toBe("a\n");
  });

  it("is not made beyond its limits", async () => {
    const { mirror, first } = await withMain(world, files);
    const request = { commit: first, job: "job", history: { kind: "none" } } as const;
    expect(await mirror.addWorktree({ ...request, bytesMax: 10, entriesMax: 100 })).toEqual({
      kind: "over_limit",
      limit: "bytesMax",
      max: 10,
    });
    expect(await mirror.addWorktree({ ...request, bytesMax: 1000, entriesMax: 4 })).toEqual({
      kind: "over_limit",
      limit: "entriesMax",
      max: 4,
    });
    expect(await world.git.pruneWorktrees([])).toBe(0);
  });

  it.each(["", ".", "..", "../x", "a/b", ".hidden", "a\0", "a b", "x".repeat(101)])(
    "is not made for a job called %j",
    async (job) => {
      const { mirror, first } = await withMain(world, files);
      const request = { commit: first, job, history: { kind: "none" }, ...roomy } as const;
      await expect(mirror.addWorktree(request)).rejects.toMatchObject({ kind: "bad_request" });
    },
  );
});

describe("a worktree on disk", () => {
  let world: RealWorld;
  let mirror: Mirror;
  beforeEach(async () => {
    world = await realWorld();
  });
  afterEach(() => world.close());

  async function added(history: { kind: "none" } | { kind: "copied"; commitsMax: number }) {
    const scene = await withMain(world, files);
    const second = await scene.hand.commit({ parents: [scene.first], changes: { "a.txt": "A\n" }, minute: 1 });
    const third = await scene.hand.commit({ parents: [second], changes: { "a.txt": "AA\n" }, minute: 2 });
    await scene.hand.setRef(main, third);
    mirror = await world.git.ensureMirror({ key: "one", remote: scene.hand.remote });
    const outcome = await mirror.addWorktree({ commit: third, job: "job", history, ...roomy });
    if (outcome.kind !== "added") throw new Error(outcome.kind);
    return { third, ...outcome.worktree };
  }

  it("has modes, links and empty folders for submodules, an empty home, and no git directory", async () => {
    const { folder, home } = await added({ kind: "none" });
    expect(lstatSync(join(folder, "bin/run")).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(folder, "link"))).toBe("src/deep/b.txt");
    expect(readdirSync(join(folder, "sub"))).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
    expect(existsSync(join(folder, ".git"))).toBe(false);
  });

  it("can have a history of its own, as long as wanted, with no way to the mirror", async () => {
    const { folder, third } = await added({ kind: "copied", commitsMax: 2 });
    expect(plainGit(folder, ["status", "--porcelain"]).toString()).toBe("");
    expect(plainGit(folder, ["rev-parse", "HEAD"]).toString().trim()).toBe(third);
    expect(plainGit(folder, ["log", "--format=%s"]).toString()).toBe("change\nchange\n");
    expect(plainGit(folder, ["remote"]).toString()).toBe("");
    expect(() => plainGit(folder, ["symbolic-ref", "--quiet", "HEAD"])).toThrow("Command failed");
    const inside = readdirSync(join(folder, ".git"), { recursive: true, encoding: "utf8" });
    const plain = inside.map((name) => join(folder, ".git", name)).filter((name) => lstatSync(name).isFile());
    expect(plain.length).toBeGreaterThan(4);
    for (const name of plain) {
      // A second name for a file of the mirror would be a way to write to it.
      expect({ name, links: lstatSync(name).nlink }).toEqual({ name, links: 1 });
      expect({ name, tells: readFileSync(name).includes(world.own) }).toEqual({ name, tells: false });
    }
  });

  it("survives what is done to it: the mirror stays as it was", async () => {
    const { folder, third } = await added({ kind: "copied", commitsMax: 2 });
    plainGit(folder, ["config", "core.hooksPath", "/nonexistent"]);
    writeFileSync(join(folder, "a.txt"), "changed\n");
    plainGit(folder, ["commit", "--all", "--quiet", "--message=mine"]);
    const theirs = plainGit(folder, ["rev-parse", "HEAD"]).toString().trim();
    const [gitDir = ""] = readdirSync(join(world.own, "mirrors"));
    const config = readFileSync(join(world.own, "mirrors", gitDir, "config"), "utf8");
    expect(config).not.toContain("hooksPath");
    expect(() => plainGit(join(world.own, "mirrors", gitDir), ["cat-file", "-e", theirs])).toThrow("Command failed");
    expect(world.mirroredRef("one", main)).toBe(third);
  });

  it("is refused for a commit that would write into a git directory", async () => {
    const hand = await world.createRemote();
    const blob = plainGit(hand.folder, ["hash-object", "-w", "--stdin"], { input: Buffer.from("x") })
      .toString()
      .trim();
    for (const name of [".git", ".GIT", "git~1", ".g\u200cit", ".."]) {
      const inner = Buffer.from(`100644 blob ${blob}\tconfig\0`);
      const tree = plainGit(hand.folder, ["mktree", "-z"], { input: inner }).toString().trim();
      const outer = Buffer.from(`040000 tree ${tree}\t${name}\0`);
      const root = plainGit(hand.folder, ["mktree", "-z"], { input: outer }).toString().trim();
      const commit = plainGit(hand.folder, ["commit-tree", "-m", "evil", root]).toString().trim();
      plainGit(hand.folder, ["update-ref", main, commit]);
      mirror = await world.git.ensureMirror({ key: "evil", remote: hand.remote });
      const head = world.mirroredRef("evil", main);
      if (head === undefined) throw new Error("not fetched");
      const request = { commit: head, job: "evil", history: { kind: "none" }, ...roomy } as const;
      expect({ name, made: await mirror.addWorktree(request) }).toEqual({ name, made: { kind: "unwritable" } });
    }
  });

  it("leaves no file behind in Drover's own folder", async () => {
    const worktree = await added({ kind: "none" });
    await world.git.removeWorktree({ ...worktree, job: "job" });
    expect(readdirSync(join(world.own, "worktrees"))).toEqual([]);
    expect(readdirSync(join(world.own, "scratch"))).toEqual([]);
    expect(readdirSync(join(world.own, "home"))).toEqual([]);
  });
});
