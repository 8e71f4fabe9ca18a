import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { Mirror } from "#ports/git.ts";
import { at, author, commitTo, type HostWorld, hostWorlds, main, repository } from "./host-world.ts";

const pullRef = "refs/pull/7/head";

describe.each(hostWorlds)("Drover at a hosted repository with $name", ({ open }) => {
  let world: HostWorld;
  let first: HeadSha;
  let mirror: Mirror;
  beforeEach(async () => {
    world = await open();
    const { host, git } = world;
    await host.createRepository(repository);
    first = await commitTo(host, { changes: { a: "a\n" } });
    await host.setRef({ repository, ref: main, to: first });
    mirror = await git.ensureMirror({ key: "one", remote: host.remoteOf(repository) });
  });
  afterEach(() => world.close());

  async function ownCommit(): Promise<HeadSha> {
    const tree = await mirror.findTree(first);
    if (tree === undefined) throw new Error("no tree");
    return await mirror.commitTree({ tree, parents: [first], message: "ours", identity: author, at: at(9) });
  }

  async function push(ref: string, commit: HeadSha, expected: HeadSha | null): Promise<unknown> {
    const manner = "fast_forward";
    return await mirror.push({ remote: world.host.remoteOf(repository), ref, commit, expected, manner });
  }

  it("mirrors the branches, also of one that is empty", async () => {
    const remote = world.host.remoteOf(repository);
    expect(await mirror.fetchRefs({ remote, refs: [main] })).toEqual([{ ref: main, commit: first }]);
    await world.host.createRepository("empty");
    const empty = await world.git.ensureMirror({ key: "two", remote: world.host.remoteOf("empty") });
    const fetched = await empty.fetchRefs({ remote: world.host.remoteOf("empty"), refs: [main] });
    expect(fetched).toEqual([{ ref: main, commit: null }]);
  });

  it("fetches the head of a pull that came from a fork", async () => {
    const { host } = world;
    await host.createRepository("bob/plums");
    const made = { repository: "bob/plums", parents: [first], changes: { a: "b\n" } };
    const head = await commitTo(host, made);
    await host.setRef({ repository, ref: pullRef, to: head });
    const fetched = await mirror.fetchRefs({ remote: host.remoteOf(repository), refs: [pullRef, "refs/pull/8/head"] });
    expect(fetched).toEqual([
      { ref: pullRef, commit: head },
      { ref: "refs/pull/8/head", commit: null },
    ]);
    expect(await mirror.readFile({ commit: head, path: "a", bytesMax: 10 })).toMatchObject({
      bytes: new Uint8Array(Buffer.from("b\n")),
    });
  });

  it("sees the same difference as the host", async () => {
    const { host } = world;
    const head = await commitTo(host, { parents: [first], changes: { a: "b\n", n: "n" } });
    await host.setRef({ repository, ref: pullRef, to: head });
    await mirror.fetchRefs({ remote: host.remoteOf(repository), refs: [pullRef] });
    const hosted = await host.diff({ repository, base: first, head });
    const own = await mirror.diff({ base: first, head, bytesMax: 10_000 });
    expect(own).toEqual({ kind: "diff", ...hosted });
  });

  it("pushes, and the host goes on from there", async () => {
    const { host } = world;
    const ours = await ownCommit();
    expect(await push(main, ours, first)).toEqual({ kind: "pushed" });
    expect(await host.refsOf(repository)).toEqual(new Map([[main, ours]]));
    expect(await host.isAncestor({ repository, older: first, newer: ours })).toBe(true);
    const next = await commitTo(host, { parents: [ours], changes: { a: "next\n" } });
    await host.setRef({ repository, ref: main, to: next });
    expect(await push(main, ours, first)).toEqual({ kind: "moved", to: next });
  });

  it("has commits that the host does not know until they are pushed, and knows from then on", async () => {
    const { host } = world;
    const ours = await ownCommit();
    expect(await host.findTree({ repository, commit: ours })).toBeUndefined();
    await expect(host.setRef({ repository, ref: main, to: ours })).rejects.toMatchObject({ kind: "bad_request" });
    await push("refs/heads/side", ours, null);
    await host.setRef({ repository, ref: "refs/heads/side", to: null });
    expect(await host.findTree({ repository, commit: ours })).toBe(await mirror.findTree(first));
  });
});
