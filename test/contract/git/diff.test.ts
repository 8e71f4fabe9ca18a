import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { DiffRead, Mirror } from "#ports/git.ts";
import type { MemoryChanges } from "#testing/memory-git/memory-hub.ts";
import { appliedDiff, parsed, readPaths } from "./applied-diff.ts";
import { everyChange, generatedHistory } from "./generated-history.ts";
import { memoryWorld } from "./memory-world.ts";
import { realWorld } from "./real-world.ts";
import { fetchSide, type RemoteHand, type World, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

function summary(read: DiffRead): readonly string[] {
  return parsed(read).files.map((file) => `${file.kind} ${file.path} ${file.content.kind}`);
}

function lines(...changed: readonly (readonly [number, string])[]): string {
  const all = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  for (const [index, text] of changed) all[index] = text;
  return `${all.join("\n")}\n`;
}

describe.each(worlds)("the diff of $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  const bytesMax = 1_000_000;

  it("shows what the head changed since it left the base, and nothing of what the base did since", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a\n", b: "b\n" });
    const head = await hand.commit({ parents: [first], changes: { a: "mine\n" }, minute: 1 });
    const base = await hand.commit({ parents: [first], changes: { b: "theirs\n" }, minute: 2 });
    await fetchSide(mirror, hand, head);
    await hand.setRef("refs/heads/base", base);
    await mirror.fetchRefs({ remote: hand.remote, refs: ["refs/heads/base"] });
    const read = await mirror.diff({ base, head, bytesMax });
    expect(summary(read)).toEqual(["modified a text"]);
    expect(read).toMatchObject({ mergeBase: first });
    expect(await mirror.diff({ base: head, head: first, bytesMax })).toMatchObject({ bytes: new Uint8Array() });
  });

  it("shows every kind of change", async () => {
    const { hand, mirror, first } = await withMain(world, everyChange.before);
    const head = await fetchSide(mirror, hand, await hand.commit({ parents: [first], changes: everyChange.changes }));
    expect(summary(await mirror.diff({ base: first, head, bytesMax }))).toEqual(everyChange.shown);
  });

  it("is not swayed by the repository's attributes", async () => {
    const attributes = "* -diff binary diff=python text eol=crlf\n*.txt -diff filter=x ident\n";
    const { hand, mirror, first } = await withMain(world, { ".gitattributes": attributes, "a.txt": "one\n" });
    const made = await hand.commit({ parents: [first], changes: { "a.txt": "two $Id$\n" } });
    const head = await fetchSide(mirror, hand, made);
    expect(summary(await mirror.diff({ base: first, head, bytesMax }))).toEqual(["modified a.txt text"]);
  });

  it("beyond its limit is no diff at all", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a\n" });
    const head = await fetchSide(mirror, hand, await hand.commit({ parents: [first], changes: { a: lines() } }));
    const over = { kind: "over_limit", limit: "bytesMax", max: 50 };
    expect(await mirror.diff({ base: first, head, bytesMax: 50 })).toEqual(over);
  });

  describe("as a patch", () => {
    interface Rebase {
      readonly hand: RemoteHand;
      readonly mirror: Mirror;
      readonly first: HeadSha;
      readonly base: HeadSha;
    }

    /** A base that went on, far from line 10, and a patch on line 10. */
    async function rebase(): Promise<Rebase> {
      const start = { f: lines(), x: { mode: "100755", content: "x\n" } } as const;
      const { hand, mirror, first } = await withMain(world, start);
      const base = await hand.commit({ parents: [first], changes: { f: lines([25, "base"]), y: "y\n" }, minute: 9 });
      return { hand, mirror, first, base };
    }

    async function patchAt({ hand, mirror, first, base }: Rebase, on: "first" | "base", changes: MemoryChanges) {
      const from = on === "first" ? first : base;
      const head = await fetchSide(mirror, hand, await hand.commit({ parents: [from], changes, minute: 10 }));
      await hand.setRef("refs/heads/base", base);
      await mirror.fetchRefs({ remote: hand.remote, refs: ["refs/heads/base"] });
      return await mirror.patchOf({ base, head });
    }

    it("stays itself through a rebase", async () => {
      const scene = await rebase();
      const before = await patchAt(scene, "first", { f: lines([10, "mine"]) });
      expect(before).toMatch(/^[0-9a-f]{64}$/);
      expect(await patchAt(scene, "base", { f: lines([10, "mine"], [25, "base"]) })).toBe(before);
    });

    it("stays itself when its commits are squashed", async () => {
      const scene = await rebase();
      const half = await scene.hand.commit({ parents: [scene.first], changes: { f: lines([10, "half"]) } });
      const whole = await scene.hand.commit({ parents: [half], changes: { f: lines([10, "mine"]) } });
      await fetchSide(scene.mirror, scene.hand, whole);
      const squashed = await patchAt(scene, "first", { f: lines([10, "mine"]) });
      expect(await scene.mirror.patchOf({ base: scene.base, head: whole })).toBe(squashed);
    });

    it.each([
      ["a space more", { f: lines([10, "mine "], [25, "base"]) }],
      ["a line elsewhere", { f: lines([10, "mine"], [20, "too"], [25, "base"]) }],
      ["a mode", { f: lines([10, "mine"], [25, "base"]), x: { mode: "100644", content: "x\n" } }],
      ["a file more", { f: lines([10, "mine"], [25, "base"]), z: "" }],
      ["a missing newline", { f: lines([10, "mine"], [25, "base"]).slice(0, -1) }],
      ["nothing left of it", {}],
    ] as const)("is another one with %s", async (_, changes) => {
      const scene = await rebase();
      const before = await patchAt(scene, "first", { f: lines([10, "mine"]) });
      const after = await patchAt(scene, "base", changes);
      expect(after).not.toBeNull();
      expect(after).not.toBe(before);
    });
  });
});

describe("git in memory beside real git", () => {
  let open: readonly World[];
  beforeEach(async () => {
    open = await Promise.all([realWorld(), memoryWorld()]);
  });
  afterEach(() => {
    for (const world of open) world.close();
  });

  it.each([1, 2, 3, 4, 5, 6])("gives the same names, histories and changes, seed %i", async (seed) => {
    const seen = [];
    for (const world of open) {
      const { hand, mirror, commits } = await generatedHistory(world, seed);
      const [base, head] = [commits.at(-2), commits.at(-1)];
      if (base === undefined || head === undefined) throw new Error("no history");
      const read = await mirror.diff({ base, head, bytesMax: 10_000_000 });
      const mergeBase = await mirror.mergeBase({ base, head });
      seen.push({
        commits,
        main: await hand.refOf("refs/heads/c0"),
        mergeBase: mergeBase.kind === "found" ? new Set(mergeBase.all) : mergeBase.kind,
        trees: await Promise.all(commits.map((commit) => mirror.findTree(commit))),
        lists: await Promise.all(commits.map((commit) => mirror.listTree({ commit, folder: "", entriesMax: 999 }))),
        ancestry: await Promise.all(
          commits.flatMap((older) => commits.slice(-3).map((newer) => mirror.ancestry({ older, newer }))),
        ),
        log: await mirror.logOf({ commit: head, path: "f0", entriesMax: 100 }),
        changed: read.kind === "diff" ? await appliedDiff(mirror, read) : read.kind,
      });
      if (read.kind !== "diff") continue;
      const applied = await appliedDiff(mirror, read);
      expect(applied).toEqual(await readPaths(mirror, head, applied));
    }
    expect(seen[1]).toEqual(seen[0]);
  });
});
