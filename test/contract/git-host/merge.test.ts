import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import type { HostChanges } from "#ports/git-host.ts";
import {
  at,
  author,
  commitTo,
  filesAt,
  type HostWorld,
  hostWorlds,
  merged,
  mergeOf,
  repository,
} from "./host-world.ts";

const nowhere = HeadSha.parse("1".repeat(40));
const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 9 }, (_, index) => change[index] ?? `line ${index}\n`).join("");

const clean: readonly { readonly name: string; readonly ours: HostChanges; readonly theirs: HostChanges }[] = [
  { name: "different files changed", ours: { a: "ours\n" }, theirs: { b: "theirs\n" } },
  { name: "the same done by both", ours: { a: "same\n", c: null, n: "n" }, theirs: { a: "same\n", c: null, n: "n" } },
  { name: "files added and taken away", ours: { n: "n\n", c: null }, theirs: { "m/m": "m\n", b: "theirs\n" } },
  { name: "nothing on one side", ours: {}, theirs: { a: null } },
  { name: "a folder in the place of a file", ours: { b: "ours\n" }, theirs: { "a/x": "x\n" } },
];

const conflicts: typeof clean = [
  { name: "one file changed differently", ours: { a: "ours\n" }, theirs: { a: "theirs\n" } },
  { name: "one file added differently", ours: { n: "ours\n" }, theirs: { n: "theirs\n" } },
  { name: "a file taken away here and changed there", ours: { a: null }, theirs: { a: "theirs\n" } },
  { name: "a file changed here and taken away there", ours: { a: "ours\n" }, theirs: { a: null } },
  { name: "a file here and a folder there", ours: { n: "ours\n" }, theirs: { "n/x": "theirs\n" } },
  { name: "a folder here and a changed file there", ours: { "a/x": "ours\n" }, theirs: { a: "theirs\n" } },
  { name: "touching lines", ours: { text: lines({ 4: "ours\n" }) }, theirs: { text: lines({ 5: "theirs\n" }) } },
  { name: "one binary changed differently", ours: { bin: "\0ours" }, theirs: { bin: "\0theirs" } },
];

describe.each(hostWorlds)("merging with $name", ({ open }) => {
  let world: HostWorld;
  let root: HeadSha;
  beforeAll(async () => {
    world = await open();
    await world.host.createRepository(repository);
    root = await commitTo(world.host, { changes: { a: "a\n", b: "b\n", c: "c\n", text: lines(), bin: "\0" } });
  });
  afterAll(() => world.close());

  async function sides(ours: HostChanges, theirs: HostChanges): Promise<{ base: HeadSha; head: HeadSha }> {
    const base = await commitTo(world.host, { parents: [root], changes: ours, minute: 1 });
    return { base, head: await commitTo(world.host, { parents: [root], changes: theirs, minute: 2 }) };
  }

  it.each(clean)("brings together: $name", async ({ ours, theirs }) => {
    const pair = await sides(ours, theirs);
    const commit = merged(await mergeOf(world.host, pair));
    const both = await commitTo(world.host, { parents: [pair.base], changes: theirs });
    const expected = await world.host.findTree({ repository, commit: both });
    expect(await world.host.findTree({ repository, commit })).toBe(expected);
  });

  it.each(conflicts)("leaves to people: $name", async ({ ours, theirs }) => {
    expect(await mergeOf(world.host, await sides(ours, theirs))).toEqual({ kind: "conflict" });
  });

  it("brings together distant lines of one file", async () => {
    const pair = await sides({ text: lines({ 1: "ours\n" }) }, { text: lines({ 7: "" }) });
    const commit = merged(await mergeOf(world.host, pair));
    expect((await filesAt(world, commit))["text"]).toBe(lines({ 1: "ours\n", 7: "" }));
  });

  it("makes a commit with both as parents, to which nothing points", async () => {
    const { host } = world;
    const pair = await sides({ a: "ours\n" }, { b: "theirs\n" });
    const commit = merged(await mergeOf(host, pair));
    const asMade = { parents: [pair.base, pair.head], changes: { b: "theirs\n" }, message: "merge", minute: 50 };
    expect(commit).toBe(await commitTo(host, asMade));
    expect(await host.refsOf(repository)).toEqual(new Map());
  });

  it("says the same when asked again", async () => {
    const pair = await sides({ a: "ours\n" }, { b: "theirs\n" });
    expect(await mergeOf(world.host, pair)).toEqual(await mergeOf(world.host, pair));
  });

  it("makes a commit of its own where one side has everything of the other", async () => {
    const { host } = world;
    const { head } = await sides({}, { a: "theirs\n" });
    const tree = await host.findTree({ repository, commit: head });
    for (const pair of [
      { base: root, head },
      { base: head, head: root },
    ]) {
      const commit = merged(await mergeOf(host, pair));
      expect(await host.findTree({ repository, commit })).toBe(tree);
      expect([root, head]).not.toContain(commit);
    }
  });

  it("merges what was crossed before", async () => {
    const { host } = world;
    const { base, head } = await sides({ a: "ours\n" }, { b: "theirs\n" });
    const one = await commitTo(host, { parents: [base, head], changes: { b: "theirs\n", x: "x\n" }, minute: 3 });
    const other = await commitTo(host, { parents: [head, base], changes: { a: "ours\n", y: "y\n" }, minute: 4 });
    const commit = merged(await mergeOf(host, { base: one, head: other }));
    const files = { a: "ours\n", b: "theirs\n", x: "x\n", y: "y\n" };
    expect(await filesAt(world, commit)).toMatchObject(files);
  });

  it("goes by names: a file that moved here and changed there is for people", async () => {
    const pair = await sides({ text: null, moved: lines() }, { text: lines({ 3: "theirs\n" }) });
    expect(await mergeOf(world.host, pair)).toEqual({ kind: "conflict" });
  });

  it("does not merge what has nothing in common", async () => {
    const head = await commitTo(world.host, { changes: { z: "stranger\n" } });
    expect(await mergeOf(world.host, { base: root, head })).toEqual({ kind: "conflict" });
  });

  it("is not swayed by what the repository says about merging", async () => {
    const attributes = { ".gitattributes": "* merge=union\n" };
    const pair = await sides({ ...attributes, a: "ours\n" }, { ...attributes, a: "theirs\n" });
    expect(await mergeOf(world.host, pair)).toEqual({ kind: "conflict" });
  });

  it("refuses a commit that nobody has", async () => {
    const request = { repository, base: root, head: nowhere, message: "merge", author, at: at(0) };
    await expect(world.host.mergeCommit(request)).rejects.toMatchObject({ kind: "bad_request" });
  });
});
