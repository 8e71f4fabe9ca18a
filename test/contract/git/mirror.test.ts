import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { GitError } from "#ports/git.ts";
import { main, type World, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

const nowhere = HeadSha.parse("1".repeat(40));

describe.each(worlds)("a mirror of $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  it("holds the branches of the remote, each under the remote's own name", async () => {
    const { first } = await withMain(world, { "a.txt": "a\n" });
    expect(world.mirroredRef("one", main)).toBe(first);
    expect(world.mirroredRef("one", "refs/heads/other")).toBeUndefined();
  });

  it("of an empty remote is empty, and fills later", async () => {
    const hand = await world.createRemote();
    await world.git.ensureMirror({ key: "empty", remote: hand.remote });
    expect(world.mirroredRef("empty", main)).toBeUndefined();
    const first = await hand.commit({ changes: { a: "a" } });
    await hand.setRef(main, first);
    await world.git.ensureMirror({ key: "empty", remote: hand.remote });
    expect(world.mirroredRef("empty", main)).toBe(first);
  });

  it("forgets branches that are gone, and keeps their commits", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const second = await hand.commit({ parents: [first], changes: { a: "b" } });
    await hand.setRef("refs/heads/side", second);
    await world.git.ensureMirror({ key: "one", remote: hand.remote });
    await hand.setRef("refs/heads/side", null);
    await world.git.ensureMirror({ key: "one", remote: hand.remote });
    expect(world.mirroredRef("one", "refs/heads/side")).toBeUndefined();
    expect(await mirror.ancestry({ older: first, newer: second })).toBe("ancestor");
  });

  it("is found again by its key, without going out", async () => {
    const { first } = await withMain(world, { a: "a" });
    const found = await world.git.findMirror("one");
    expect(await found?.ancestry({ older: first, newer: first })).toBe("ancestor");
    expect(await world.git.findMirror("two")).toBeUndefined();
  });

  it("has its own commits and refs under each key", async () => {
    const { first } = await withMain(world, { a: "a" });
    const other = await world.createRemote();
    const mirror = await world.git.ensureMirror({ key: "../one/..", remote: other.remote });
    expect(world.mirroredRef("../one/..", main)).toBeUndefined();
    expect(await mirror.ancestry({ older: first, newer: first })).toBe("unknown");
  });

  it("fetches exactly the refs that are asked for, and says which are not there", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const head = await hand.commit({ parents: [first], changes: { a: "b" } });
    await hand.setRef("refs/pull/7/head", head);
    await hand.setRef("refs/pull/8/head", head);
    const refs = ["refs/pull/7/head", "refs/pull/9/head", main];
    expect(await mirror.fetchRefs({ remote: hand.remote, refs })).toEqual([
      { ref: "refs/pull/7/head", commit: head },
      { ref: "refs/pull/9/head", commit: null },
      { ref: main, commit: first },
    ]);
    expect(world.mirroredRef("one", "refs/pull/8/head")).toBeUndefined();
  });

  it("follows a force-push, and still knows the old head", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const old = await hand.commit({ parents: [first], changes: { a: "b" } });
    const rewritten = await hand.commit({ parents: [first], changes: { a: "c" } });
    const request = { remote: hand.remote, refs: ["refs/pull/7/head"] };
    await hand.setRef("refs/pull/7/head", old);
    await mirror.fetchRefs(request);
    await hand.setRef("refs/pull/7/head", rewritten);
    expect(await mirror.fetchRefs(request)).toEqual([{ ref: "refs/pull/7/head", commit: rewritten }]);
    expect(await mirror.ancestry({ older: old, newer: rewritten })).toBe("not_ancestor");
  });

  it("forgets its copy of a ref that was taken away", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    await hand.setRef("refs/pull/7/head", first);
    const request = { remote: hand.remote, refs: ["refs/pull/7/head"] };
    await mirror.fetchRefs(request);
    await hand.setRef("refs/pull/7/head", null);
    expect(await mirror.fetchRefs(request)).toEqual([{ ref: "refs/pull/7/head", commit: null }]);
    expect(world.mirroredRef("one", "refs/pull/7/head")).toBeUndefined();
  });

  it("takes a branch whose name was a folder of branches before, and the other way round", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    await hand.setRef("refs/heads/topic", first);
    await world.git.ensureMirror({ key: "one", remote: hand.remote });
    await hand.setRef("refs/heads/topic", null);
    await hand.setRef("refs/heads/topic/deep", first);
    const deep = { remote: hand.remote, refs: ["refs/heads/topic/deep"] };
    expect(await mirror.fetchRefs(deep)).toEqual([{ ref: "refs/heads/topic/deep", commit: first }]);
    await hand.setRef("refs/heads/topic/deep", null);
    await hand.setRef("refs/heads/topic", first);
    const flat = { remote: hand.remote, refs: ["refs/heads/topic"] };
    expect(await mirror.fetchRefs(flat)).toEqual([{ ref: "refs/heads/topic", commit: first }]);
  });

  it("lets several fetches of one mirror run into each other", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a" });
    const pulls = Array.from({ length: 6 }, (_, index) => `refs/pull/${index}/head`);
    for (const ref of pulls) await hand.setRef(ref, first);
    const fetched = await Promise.all(pulls.map((ref) => mirror.fetchRefs({ remote: hand.remote, refs: [ref, main] })));
    expect(fetched.flat().map(({ commit }) => commit)).toEqual(Array.from({ length: 12 }, () => first));
  });

  it("knows nothing of commits that were never fetched", async () => {
    const { mirror, first } = await withMain(world, { a: "a" });
    const unknown = { kind: "unknown_commit", commit: nowhere };
    expect(await mirror.ancestry({ older: nowhere, newer: first })).toBe("unknown");
    expect(await mirror.mergeBase({ base: first, head: nowhere })).toEqual(unknown);
    expect(await mirror.diff({ base: nowhere, head: first, bytesMax: 1000 })).toEqual(unknown);
    expect(await mirror.patchOf({ base: nowhere, head: first })).toBeNull();
    expect(await mirror.readFile({ commit: nowhere, path: "a", bytesMax: 10 })).toEqual(unknown);
    expect(await mirror.listTree({ commit: nowhere, folder: "", entriesMax: 10 })).toEqual(unknown);
    expect(await mirror.logOf({ commit: nowhere, path: "a", entriesMax: 10 })).toEqual(unknown);
    expect(await mirror.findTree(nowhere)).toBeUndefined();
  });

  it("says that a remote is unavailable, and that an address is no good", async () => {
    const missing = { url: "/nonexistent/remote.git", credential: null };
    await expect(world.git.ensureMirror({ key: "x", remote: missing })).rejects.toMatchObject({ kind: "unavailable" });
    const { mirror } = await withMain(world, { a: "a" });
    await expect(mirror.fetchRefs({ remote: missing, refs: [main] })).rejects.toMatchObject({ kind: "unavailable" });
    for (const url of [
      "--upload-pack=x",
      "ext::sh -c x",
      "ssh://host/x",
      "git@host:x",
      "https://me:secret@host/x",
      "",
    ]) {
      const made = world.git.ensureMirror({ key: "x", remote: { url, credential: null } });
      await expect(made).rejects.toMatchObject({ kind: "bad_request" });
    }
  });

  it("ends early when the call is cancelled", async () => {
    const { hand, mirror } = await withMain(world, { a: "a" });
    const request = { remote: hand.remote, refs: [main], signal: AbortSignal.abort() };
    const error: unknown = await mirror.fetchRefs(request).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(GitError);
    expect(error).toMatchObject({ kind: "cancelled" });
  });
});
