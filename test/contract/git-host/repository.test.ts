import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { commitTo, type HostWorld, hostWorlds, main, repository } from "./host-world.ts";

const nowhere = HeadSha.parse("1".repeat(40));

describe.each(hostWorlds)("hosted repositories with $name", ({ open }) => {
  let world: HostWorld;
  beforeEach(async () => {
    world = await open();
    await world.host.createRepository(repository);
  });
  afterEach(() => world.close());

  it("begin empty, and each has its own refs and address", async () => {
    const { host } = world;
    await host.createRepository("plums");
    const commit = await commitTo(host, {});
    await host.setRef({ repository, ref: main, to: commit });
    expect(await host.refsOf("plums")).toEqual(new Map());
    expect(await host.refsOf(repository)).toEqual(new Map([[main, commit]]));
    expect(host.remoteOf("plums").url).not.toBe(host.remoteOf(repository).url);
  });

  it("are not made twice, and keep what they held", async () => {
    const { host } = world;
    const commit = await commitTo(host, {});
    await host.setRef({ repository, ref: main, to: commit });
    await expect(host.createRepository(repository)).rejects.toMatchObject({ kind: "bad_request" });
    expect(await host.refsOf(repository)).toEqual(new Map([[main, commit]]));
  });

  it.each(["", "..", "a/..", "a/b/c", "/a", "a/", "a//b", ".host", "a.git", "a.git/b", "a b", "a\0", "a/-\n"])(
    "are not called %j",
    async (name) => {
      await expect(world.host.createRepository(name)).rejects.toMatchObject({ kind: "bad_request" });
      expect(() => world.host.remoteOf(name)).toThrow("not a name");
    },
  );

  it("that nobody made have nothing to say", async () => {
    const { host } = world;
    const wrong = { kind: "bad_request" };
    const commit = await commitTo(host, {});
    const missing = { repository: "ann/pears" };
    await expect(host.refsOf(missing.repository)).rejects.toMatchObject(wrong);
    await expect(commitTo(host, missing)).rejects.toMatchObject(wrong);
    await expect(host.setRef({ ...missing, ref: main, to: commit })).rejects.toMatchObject(wrong);
    await expect(host.findTree({ ...missing, commit })).rejects.toMatchObject(wrong);
    await expect(host.isAncestor({ ...missing, older: commit, newer: commit })).rejects.toMatchObject(wrong);
    await expect(host.diff({ ...missing, base: commit, head: commit })).rejects.toMatchObject(wrong);
  });

  it("let refs be moved back and forth, and taken away twice", async () => {
    const { host } = world;
    const first = await commitTo(host, { changes: { a: "1" } });
    const second = await commitTo(host, { parents: [first], changes: { a: "2" } });
    const other = await commitTo(host, { changes: { a: "3" } });
    for (const to of [first, second, first, other]) {
      await host.setRef({ repository, ref: main, to });
      expect((await host.refsOf(repository)).get(main)).toBe(to);
    }
    await host.setRef({ repository, ref: main, to: null });
    await host.setRef({ repository, ref: main, to: null });
    expect(await host.refsOf(repository)).toEqual(new Map());
  });

  it("show the refs of one moment", async () => {
    const { host } = world;
    const commit = await commitTo(host, {});
    const before = await host.refsOf(repository);
    await host.setRef({ repository, ref: "refs/pull/7/head", to: commit });
    expect(before).toEqual(new Map());
  });

  it("take no ref that git would not have", async () => {
    const { host } = world;
    const commit = await commitTo(host, {});
    for (const ref of ["main", "refs/heads/a..b", "refs/heads/a b", "refs/heads/", "--all"]) {
      await expect(host.setRef({ repository, ref, to: commit })).rejects.toMatchObject({ kind: "bad_request" });
    }
    await host.setRef({ repository, ref: "refs/heads/a", to: commit });
    for (const ref of ["refs/heads/a/b", "refs/heads"]) {
      await expect(host.setRef({ repository, ref, to: commit })).rejects.toMatchObject({ kind: "failed" });
    }
    expect([...(await host.refsOf(repository)).keys()]).toEqual(["refs/heads/a"]);
  });

  it("do not point at what is not there", async () => {
    const { host } = world;
    await expect(host.setRef({ repository, ref: main, to: nowhere })).rejects.toMatchObject({ kind: "bad_request" });
    expect(await host.refsOf(repository)).toEqual(new Map());
  });

  it("can name the commits of their forks", async () => {
    const { host } = world;
    const fork = "bob/plums";
    await host.createRepository(fork);
    const first = await commitTo(host, { changes: { a: "1\n" } });
    const theirs = await commitTo(host, { repository: fork, parents: [first], changes: { a: "2\n" } });
    await host.setRef({ repository: fork, ref: main, to: theirs });
    await host.setRef({ repository, ref: "refs/pull/7/head", to: theirs });
    expect(await host.refsOf(repository)).toEqual(new Map([["refs/pull/7/head", theirs]]));
    expect(await host.isAncestor({ repository, older: first, newer: theirs })).toBe(true);
    expect(await host.findTree({ repository, commit: theirs })).toBeDefined();
  });
});
