import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { CommitLog, TreeRead } from "#ports/git.ts";
import { at, fetchSide, type RemoteHand, type World, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

/**
 * Two branches that merged each other: both `left` and `right` are best common ancestors of the two merges.
 *
 *   first ── left ──── one
 *         ╲       ╲ ╱
 *          ╲       ╳
 *           right ╱ ╲ other
 */
async function crissCross(
  hand: RemoteHand,
  first: HeadSha,
): Promise<Record<"left" | "right" | "one" | "other", HeadSha>> {
  const left = await hand.commit({ parents: [first], changes: { l: "l" }, minute: 1 });
  const right = await hand.commit({ parents: [first], changes: { r: "r" }, minute: 2 });
  const one = await hand.commit({ parents: [left, right], changes: { r: "r", m: "one" }, minute: 3 });
  const other = await hand.commit({ parents: [right, left], changes: { l: "l", m: "other" }, minute: 4 });
  return { left, right, one, other };
}

function commitsOf(log: CommitLog): readonly HeadSha[] {
  if (log.kind !== "log") throw new Error(log.kind);
  return log.entries.map(({ commit }) => commit);
}

function pathsOf(tree: TreeRead): readonly string[] {
  if (tree.kind !== "tree") throw new Error(tree.kind);
  return tree.entries.map(({ path }) => path.text);
}

function file(text: string, isExecutable = false): object {
  return { kind: "file", bytes: new Uint8Array(Buffer.from(text)), isExecutable };
}

describe.each(worlds)("history in $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  it("tells ancestors from others", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const left = await hand.commit({ parents: [first], changes: { a: "l" }, minute: 1 });
    const right = await hand.commit({ parents: [first], changes: { a: "r" }, minute: 2 });
    const merge = await hand.commit({ parents: [left, right], minute: 3 });
    await fetchSide(mirror, hand, merge);
    expect(await mirror.ancestry({ older: first, newer: merge })).toBe("ancestor");
    expect(await mirror.ancestry({ older: right, newer: merge })).toBe("ancestor");
    expect(await mirror.ancestry({ older: merge, newer: merge })).toBe("ancestor");
    expect(await mirror.ancestry({ older: merge, newer: right })).toBe("not_ancestor");
    expect(await mirror.ancestry({ older: left, newer: right })).toBe("not_ancestor");
    expect(await mirror.mergeBase({ base: left, head: right })).toEqual({ kind: "found", commit: first, all: [first] });
    expect(await mirror.mergeBase({ base: left, head: merge })).toEqual({ kind: "found", commit: left, all: [left] });
  });

  it("finds every merge base after criss-cross merges, and no patch is known then", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const { left, right, one, other } = await crissCross(hand, first);
    await fetchSide(mirror, hand, one);
    await hand.setRef("refs/heads/other", other);
    await mirror.fetchRefs({ remote: hand.remote, refs: ["refs/heads/other"] });
    const found = await mirror.mergeBase({ base: one, head: other });
    expect(found).toMatchObject({ kind: "found", commit: right });
    expect(found.kind === "found" && new Set(found.all)).toEqual(new Set([left, right]));
    expect(await mirror.ancestry({ older: one, newer: other })).toBe("not_ancestor");
    expect((await mirror.diff({ base: one, head: other, bytesMax: 10_000 })).kind).toBe("diff");
    expect(await mirror.patchOf({ base: one, head: other })).toBeNull();
  });

  it("finds nothing in common between unrelated histories", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const stranger = await fetchSide(mirror, hand, await hand.commit({ changes: { b: "b" }, minute: 5 }));
    expect(await mirror.ancestry({ older: first, newer: stranger })).toBe("not_ancestor");
    expect(await mirror.mergeBase({ base: first, head: stranger })).toEqual({ kind: "unrelated" });
    expect(await mirror.diff({ base: first, head: stranger, bytesMax: 1000 })).toEqual({ kind: "unrelated" });
    expect(await mirror.patchOf({ base: first, head: stranger })).toBeNull();
  });

  it("names trees by their content alone", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a", "b/c": "c" });
    const other = await hand.commit({ parents: [first], changes: { a: "x" }, minute: 1 });
    const back = await fetchSide(mirror, hand, await hand.commit({ parents: [other], changes: { a: "a" }, minute: 2 }));
    expect(await mirror.findTree(back)).toBe(await mirror.findTree(first));
    expect(await mirror.findTree(other)).not.toBe(await mirror.findTree(first));
  });

  it("lists the commits that changed a file or something in a folder, newest first, merges left out", async () => {
    const { hand, mirror, first } = await withMain(world, { "src/a": "1", b: "1" });
    const left = await hand.commit({ parents: [first], changes: { "src/a": "2" }, minute: 1, message: "left\n\nwhy" });
    const right = await hand.commit({ parents: [first], changes: { "src/new": "1" }, minute: 2 });
    const merge = await hand.commit({ parents: [left, right], changes: { "src/new": "1" }, minute: 3 });
    const last = await hand.commit({ parents: [merge], changes: { b: "2" }, minute: 4 });
    await fetchSide(mirror, hand, last);
    const log = await mirror.logOf({ commit: last, path: "src/a", entriesMax: 10 });
    expect(log).toEqual({
      kind: "log",
      isCut: false,
      entries: [
        { commit: left, author: "Ann Author", at: at(1), subject: "left" },
        { commit: first, author: "Ann Author", at: at(0), subject: "change" },
      ],
    });
    const inFolder = await mirror.logOf({ commit: last, path: "src", entriesMax: 10 });
    expect(commitsOf(inFolder)).toEqual([right, left, first]);
    const cut = await mirror.logOf({ commit: last, path: "src", entriesMax: 2 });
    expect(cut).toMatchObject({ kind: "log", isCut: true });
    expect(commitsOf(cut)).toEqual([right, left]);
    expect(commitsOf(await mirror.logOf({ commit: last, path: "nothing", entriesMax: 2 }))).toEqual([]);
    expect(commitsOf(await mirror.logOf({ commit: last, path: "../b", entriesMax: 2 }))).toEqual([]);
    expect(commitsOf(await mirror.logOf({ commit: last, path: "*", entriesMax: 2 }))).toEqual([]);
  });

  it("reads files within their limit, and shows links and submodules as what they are", async () => {
    const { mirror, first } = await withMain(world, {
      "a.txt": "hello\n",
      "bin/run": { mode: "100755", content: "#!/bin/sh\n" },
      "bin/raw": { mode: "100644", content: new Uint8Array([0, 255, 10]) },
      link: { mode: "120000", content: "/etc/passwd" },
      folder: { mode: "120000", content: "bin" },
      sub: { mode: "160000", content: "2".repeat(40) },
      "odd [*]: name\n": "odd",
      ":(glob)x": "magic",
    });
    const read = (path: string, bytesMax = 100): Promise<unknown> => mirror.readFile({ commit: first, path, bytesMax });
    expect(await read("a.txt")).toEqual(file("hello\n"));
    expect(await read("a.txt", 6)).toEqual(file("hello\n"));
    expect(await read("a.txt", 5)).toEqual({ kind: "too_large", bytes: 6 });
    expect(await read("bin/run")).toEqual(file("#!/bin/sh\n", true));
    expect(await read("bin/raw")).toMatchObject({ kind: "file", bytes: new Uint8Array([0, 255, 10]) });
    expect(await read("link")).toEqual({ kind: "link", target: "/etc/passwd" });
    expect(await read("folder/run")).toEqual({ kind: "absent" });
    expect(await read("sub")).toEqual({ kind: "submodule", commit: "2".repeat(40) });
    expect(await read("sub/x")).toEqual({ kind: "absent" });
    expect(await read("bin")).toEqual({ kind: "folder" });
    expect(await read("odd [*]: name\n")).toEqual(file("odd"));
    expect(await read(":(glob)x")).toEqual(file("magic"));
    for (const path of [
      "",
      ".",
      "..",
      "/a.txt",
      "a.txt/",
      "bin//run",
      "bin/../a.txt",
      "A.TXT",
      "a.txt\0",
      "*",
      "\ud800",
    ]) {
      expect({ path, read: await read(path) }).toEqual({ path, read: { kind: "absent" } });
    }
  });

  it("lists a tree in the order of its bytes, and says when it is cut", async () => {
    const { mirror, first } = await withMain(world, {
      "b/z": "1",
      "b-a": "22",
      "b.a": "333",
      b0: { mode: "100755", content: "4" },
      "b/c/d": { mode: "120000", content: "x" },
      sub: { mode: "160000", content: "2".repeat(40) },
      "grüße\n": "5",
    });
    const all = await mirror.listTree({ commit: first, folder: "", entriesMax: 100 });
    expect(pathsOf(all)).toEqual(["b-a", "b.a", "b/c/d", "b/z", "b0", "grüße\n", "sub"]);
    expect(all.kind === "tree" && all.entries.map(({ mode, bytes }) => `${mode} ${bytes}`)).toEqual([
      "100644 2",
      "100644 3",
      "120000 1",
      "100644 1",
      "100755 1",
      "100644 1",
      "160000 null",
    ]);
    expect(all).toMatchObject({ isCut: false });
    expect(pathsOf(await mirror.listTree({ commit: first, folder: "b", entriesMax: 2 }))).toEqual(["b/c/d", "b/z"]);
    const cut = await mirror.listTree({ commit: first, folder: "", entriesMax: 3 });
    expect(cut).toMatchObject({ isCut: true });
    expect(pathsOf(cut)).toEqual(["b-a", "b.a", "b/c/d"]);
    for (const folder of ["b-a", "none", "..", "b/", "sub"]) {
      expect({ folder, read: await mirror.listTree({ commit: first, folder, entriesMax: 3 }) }).toEqual({
        folder,
        read: { kind: "absent" },
      });
    }
  });
});
