import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { at, commitTo, filesAt, type HostWorld, hostWorlds, repository } from "./host-world.ts";

const nowhere = HeadSha.parse("1".repeat(40));

describe.each(hostWorlds)("committing to a host with $name", ({ open }) => {
  let world: HostWorld;
  beforeEach(async () => {
    world = await open();
    await world.host.createRepository(repository);
  });
  afterEach(() => world.close());

  it("changes what is said and keeps the rest", async () => {
    const { host } = world;
    const first = await commitTo(host, { changes: { a: "a\n", "b/c": "c\n", gone: "gone\n", ü: "no newline" } });
    const second = await commitTo(host, {
      parents: [first],
      changes: { a: "A\n", "b/d": "", gone: null, never: null },
    });
    expect(await filesAt(world, first)).toEqual({ a: "a\n", "b/c": "c\n", gone: "gone\n", ü: "no newline" });
    expect(await filesAt(world, second)).toEqual({ a: "A\n", "b/c": "c\n", "b/d": "", ü: "no newline" });
  });

  it("moves no ref", async () => {
    await commitTo(world.host, { changes: { a: "a\n" } });
    expect(await world.host.refsOf(repository)).toEqual(new Map());
  });

  it("starts from the first parent and remembers all of them", async () => {
    const { host } = world;
    const first = await commitTo(host, { changes: { a: "a\n" } });
    const other = await commitTo(host, { changes: { b: "b\n" } });
    const both = await commitTo(host, { parents: [first, other], changes: { c: "c\n" } });
    expect(await filesAt(world, both)).toEqual({ a: "a\n", c: "c\n" });
    for (const older of [first, other]) {
      expect(await host.isAncestor({ repository, older, newer: both })).toBe(true);
    }
  });

  it("makes the same commit from the same request, and another from another", async () => {
    const { host } = world;
    const made = { changes: { a: "a\n" }, message: "one" };
    const commit = await commitTo(host, made);
    expect(await commitTo(host, made)).toBe(commit);
    expect(await commitTo(host, { ...made, minute: 1 })).not.toBe(commit);
    expect(await commitTo(host, { ...made, message: "two" })).not.toBe(commit);
    expect(await commitTo(host, { ...made, changes: { a: "b\n" } })).not.toBe(commit);
  });

  it("lets a folder become a file and a file a folder", async () => {
    const { host } = world;
    const first = await commitTo(host, { changes: { "a/b": "1\n", "a/c/d": "2\n", ab: "3\n" } });
    const file = await commitTo(host, { parents: [first], changes: { a: "4\n" } });
    const folder = await commitTo(host, { parents: [file], changes: { "a/b/c": "5\n" } });
    expect(await filesAt(world, file)).toEqual({ a: "4\n", ab: "3\n" });
    expect(await filesAt(world, folder)).toEqual({ "a/b/c": "5\n", ab: "3\n" });
  });

  it("can hold nothing at all", async () => {
    const { host } = world;
    const first = await commitTo(host, { changes: { a: "a\n" } });
    const bare = await commitTo(host, { parents: [first], changes: { a: null } });
    expect(await filesAt(world, bare)).toEqual({});
    const empty = await commitTo(host, {});
    const same = await host.findTree({ repository, commit: bare });
    expect(await host.findTree({ repository, commit: empty })).toBe(same);
  });

  it.each(["", "/a", "a/", "a//b", "./a", "../a", ".git/config", "a/.GIT/x", "a\0"])(
    "holds no file of the name %j",
    async (path) => {
      await expect(commitTo(world.host, { changes: { [path]: "x" } })).rejects.toMatchObject({ kind: "bad_request" });
    },
  );

  it("refuses changes that contradict each other", async () => {
    const request = commitTo(world.host, { changes: { a: "x", "a/b": "y" } });
    await expect(request).rejects.toMatchObject({ kind: "bad_request" });
  });

  it("refuses parents that nobody has, and people that git cannot write down", async () => {
    const { host } = world;
    const refused = { kind: "bad_request" };
    await expect(commitTo(host, { parents: [nowhere] })).rejects.toMatchObject(refused);
    for (const wrong of [
      { name: "a <b>", email: "x" },
      { name: "a\nparent", email: "x" },
      { name: "", email: "x" },
    ]) {
      const made = { repository, parents: [], changes: {}, message: "m", at: at(0), author: wrong };
      await expect(host.commit(made)).rejects.toMatchObject(refused);
    }
  });
});
