import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { commitTo, type HostWorld, hostWorlds, repository } from "./host-world.ts";

const nowhere = HeadSha.parse("1".repeat(40));

describe.each(hostWorlds)("the history of a hosted repository with $name", ({ open }) => {
  let world: HostWorld;
  beforeEach(async () => {
    world = await open();
    await world.host.createRepository(repository);
  });
  afterEach(() => world.close());

  interface Fork {
    readonly root: HeadSha;
    readonly base: HeadSha;
    readonly head: HeadSha;
  }

  async function fork(): Promise<Fork> {
    const { host } = world;
    const root = await commitTo(host, { changes: { a: "one\ntwo\n", b: "b\n" } });
    const base = await commitTo(host, { parents: [root], changes: { b: "B\n" }, minute: 1 });
    const head = await commitTo(host, { parents: [root], changes: { a: "one\n2\n" }, minute: 2 });
    return { root, base, head };
  }

  it("shows what the head changed since it left the base, and nothing of what the base did", async () => {
    const { root, base, head } = await fork();
    const diff = await world.host.diff({ repository, base, head });
    expect(diff?.mergeBase).toBe(root);
    expect(Buffer.from(diff?.bytes ?? []).toString()).toBe(
      [
        "diff --git a/a b/a",
        "index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..99b356dcd03dde0755c749bcd4cae4b2b73a8fa8 100644",
        "--- a/a",
        "+++ b/a",
        "@@ -1,2 +1,2 @@",
        " one",
        "-two",
        "+2",
        "",
      ].join("\n"),
    );
  });

  it("shows the same again, whatever somebody did to the answer", async () => {
    const { base, head } = await fork();
    const before = await world.host.diff({ repository, base, head });
    const text = Buffer.from(before?.bytes ?? []).toString();
    before?.bytes.fill(0);
    const again = await world.host.diff({ repository, base, head });
    expect(Buffer.from(again?.bytes ?? []).toString()).toBe(text);
  });

  it("shows nothing where the base has it all", async () => {
    const { root, base } = await fork();
    const diff = await world.host.diff({ repository, base, head: root });
    expect({ bytes: diff?.bytes.length, mergeBase: diff?.mergeBase }).toEqual({ bytes: 0, mergeBase: root });
  });

  it("has no difference for what has nothing in common", async () => {
    const { base } = await fork();
    const head = await commitTo(world.host, { changes: { a: "stranger\n" } });
    expect(await world.host.diff({ repository, base, head })).toBeUndefined();
  });

  it("knows what is part of what", async () => {
    const { root, base, head } = await fork();
    const { host } = world;
    expect(await host.isAncestor({ repository, older: root, newer: head })).toBe(true);
    expect(await host.isAncestor({ repository, older: head, newer: head })).toBe(true);
    expect(await host.isAncestor({ repository, older: head, newer: root })).toBe(false);
    expect(await host.isAncestor({ repository, older: base, newer: head })).toBe(false);
  });

  it("names equal contents equally", async () => {
    const { root, head } = await fork();
    const back = await commitTo(world.host, { parents: [head], changes: { a: "one\ntwo\n" }, minute: 3 });
    const tree = await world.host.findTree({ repository, commit: root });
    expect(await world.host.findTree({ repository, commit: back })).toBe(tree);
    expect(await world.host.findTree({ repository, commit: head })).not.toBe(tree);
  });

  it("does not guess about a commit that nobody has", async () => {
    const { root } = await fork();
    const { host } = world;
    const refused = { kind: "bad_request" };
    expect(await host.findTree({ repository, commit: nowhere })).toBeUndefined();
    await expect(host.isAncestor({ repository, older: nowhere, newer: root })).rejects.toMatchObject(refused);
    await expect(host.diff({ repository, base: root, head: nowhere })).rejects.toMatchObject(refused);
  });
});
