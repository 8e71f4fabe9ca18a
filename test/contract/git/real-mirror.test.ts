import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { createRealGit } from "#git/real-git.ts";
import { GitError } from "#ports/git.ts";
import { plainGit } from "./plain-git.ts";
import { type RealWorld, realWorld } from "./real-world.ts";
import { main, roomy } from "./world.ts";

describe("a mirror on disk", () => {
  let world: RealWorld;
  beforeEach(async () => {
    world = await realWorld();
  });
  afterEach(() => world.close());

  /** The same folder under the next process. */
  function restart() {
    return createRealGit({ folder: world.own, searchPath: process.env["PATH"] ?? "", protocols: ["file"], env: {} });
  }

  it("survives a restart, and whatever a killed git process left lying around", async () => {
    const hand = await world.createRemote();
    const first = await hand.commit({ changes: { a: "a\n" } });
    await hand.setRef(main, first);
    await world.git.ensureMirror({ key: "one", remote: hand.remote });
    const [name = ""] = readdirSync(join(world.own, "mirrors"));
    const gitDir = join(world.own, "mirrors", name);
    const leftovers = [
      "packed-refs.lock",
      "config.lock",
      "refs/drover/remote/heads/main.lock",
      "objects/pack/tmp_pack_x",
    ];
    for (const left of leftovers) writeFileSync(join(gitDir, left), "");
    mkdirSync(join(world.own, "mirrors", `${name}.half`));
    const second = await hand.commit({ parents: [first], changes: { a: "b\n" } });
    await hand.setRef(main, second);
    const git = await restart();
    const mirror = await git.findMirror("one");
    const fetched = await mirror?.fetchRefs({ remote: hand.remote, refs: [main] });
    expect(fetched).toEqual([{ ref: main, commit: second }]);
    expect(leftovers.filter((left) => existsSync(join(gitDir, left)))).toEqual([]);
  });

  it("is made anew where the process died while making it", async () => {
    const hand = await world.createRemote();
    const first = await hand.commit({ changes: { a: "a\n" } });
    await hand.setRef(main, first);
    await world.git.ensureMirror({ key: "other", remote: hand.remote });
    const [name = ""] = readdirSync(join(world.own, "mirrors"));
    const half = join(world.own, "mirrors", `${name}.half`);
    mkdirSync(half);
    writeFileSync(join(half, "HEAD"), "garbage");
    expect(await world.git.findMirror("one")).toBeUndefined();
    await world.git.ensureMirror({ key: "one", remote: hand.remote });
    expect(world.mirroredRef("one", main)).toBe(first);
  });

  it("holds all other branches where somebody has pushed one with a broken tree", async () => {
    const hand = await world.createRemote();
    const first = await hand.commit({ changes: { a: "a\n" } });
    const names = ["main", ...Array.from({ length: 6 }, (_, index) => `side-${index}`)].map(
      (name) => `refs/heads/${name}`,
    );
    for (const name of names) await hand.setRef(name, first);
    const commit = `tree ${"12".repeat(20)}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nbroken\n`;
    const args = ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"];
    const broken = HeadSha.parse(
      plainGit(hand.folder, args, { input: Buffer.from(commit) })
        .toString()
        .trim(),
    );
    await hand.setRef("refs/heads/broken", broken);
    const mirror = await world.git.ensureMirror({ key: "one", remote: hand.remote });
    expect(names.map((name) => world.mirroredRef("one", name))).toEqual(names.map(() => first));
    expect(world.mirroredRef("one", "refs/heads/broken")).toBeUndefined();
    const asking = mirror.fetchRefs({ remote: hand.remote, refs: ["refs/heads/broken"] });
    await expect(asking).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("is not there where no branch can be fetched", async () => {
    const hand = await world.createRemote();
    const first = await hand.commit({ changes: { a: "a\n" } });
    for (const name of ["main", "side"]) await hand.setRef(`refs/heads/${name}`, first);
    rmSync(join(hand.folder, "objects"), { recursive: true });
    mkdirSync(join(hand.folder, "objects"));
    await expect(world.git.ensureMirror({ key: "one", remote: hand.remote })).rejects.toBeInstanceOf(GitError);
  });

  it("holds repositories with long ids as well", async () => {
    const hand = await world.createRemote(["--object-format=sha256"]);
    const first = await hand.commit({ changes: { a: "a\n", link: { mode: "120000", content: "a" } } });
    await hand.setRef(main, first);
    const mirror = await world.git.ensureMirror({ key: "long", remote: hand.remote });
    expect(first).toHaveLength(64);
    expect(world.mirroredRef("long", main)).toBe(first);
    const request = { commit: first, job: "job", history: { kind: "copied", commitsMax: 1 }, ...roomy } as const;
    const added = await mirror.addWorktree(request);
    if (added.kind !== "added") throw new Error(added.kind);
    writeFileSync(join(added.worktree.folder, "a"), "b\n");
    const limits = { entriesMax: 10, changesMax: 10, fileBytesMax: 100, changedBytesMax: 100, pathBytesMax: 100 };
    const rules = { protectedPaths: [], ciPaths: "protected", keptPaths: [] } as const;
    const outcome = await mirror.importResult({ folder: added.worktree.folder, commit: first, limits, ...rules });
    expect(outcome).toMatchObject({ kind: "imported", changes: [{ kind: "modified", path: { text: "a" } }] });
  });

  it("does not grow any more when it is beyond its limit", async () => {
    const small = await realWorld({ limits: { mirrorBytesMax: 10 } });
    try {
      const hand = await small.createRemote();
      const request = { key: "one", remote: hand.remote };
      const mirror = await small.git.ensureMirror(request);
      await hand.setRef(main, await hand.commit({ changes: { a: "a\n".repeat(1000) } }));
      await small.git.ensureMirror(request);
      await expect(small.git.ensureMirror(request)).rejects.toMatchObject({ kind: "over_limit" });
      const more = mirror.fetchRefs({ remote: hand.remote, refs: [main] });
      await expect(more).rejects.toMatchObject({ kind: "over_limit" });
    } finally {
      small.close();
    }
  });

  it("joins its packs, and keeps heads that nothing points to any more", async () => {
    const few = await realWorld({ limits: { packsMax: 2 } });
    try {
      const hand = await few.createRemote();
      const request = { key: "one", remote: hand.remote };
      const heads = [];
      for (let count = 0; count < 5; count += 1) {
        const head = await hand.commit({ changes: { a: `${count}\n` }, minute: count });
        heads.push(head);
        await hand.setRef(main, head);
        await few.git.ensureMirror(request);
      }
      const [name = ""] = readdirSync(join(few.own, "mirrors"));
      const packs = readdirSync(join(few.own, "mirrors", name, "objects", "pack"));
      expect(packs.filter((pack) => pack.endsWith(".pack")).length).toBeLessThan(4);
      const git = await createRealGit({
        folder: few.own,
        searchPath: process.env["PATH"] ?? "",
        protocols: ["file"],
        env: {},
      });
      const mirror = await git.findMirror("one");
      for (const head of heads) expect(await mirror?.findTree(head)).toBeDefined();
    } finally {
      few.close();
    }
  });
});
