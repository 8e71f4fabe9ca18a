import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pathBytes } from "#core/diff/diff-path.ts";
import { isRefName } from "#git/ref-name.ts";
import { plainGit } from "./plain-git.ts";
import { type RealWorld, realWorld } from "./real-world.ts";
import { main, type World, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

const strange = [
  "refs/heads/--upload-pack=x",
  "refs/heads/-",
  "refs/heads/--force",
  "refs/heads/$(touch${IFS}x);`id`|&",
  "refs/heads/'quoted\"",
  "refs/heads/@",
  "refs/heads/gr\u00fc\u00dfe/\u{1F404}",
  "refs/heads/%2e%2e",
  "refs/heads/refs/heads/main",
  `refs/heads/${"long".repeat(50)}`,
];

const impossible = [
  "",
  "main",
  "HEAD",
  "-x",
  "--upload-pack=x",
  "refs/heads/",
  "refs/heads/a..b",
  "refs/heads/../../config",
  "refs/heads/.hidden",
  "refs/heads/a.lock",
  "refs/heads/a.lock/b",
  "refs/heads//a",
  "refs/heads/a/",
  "refs/heads/a.",
  "refs/heads/a b",
  "refs/heads/a\nb",
  "refs/heads/a\0b",
  "refs/heads/a\u007f",
  "refs/heads/a~1",
  "refs/heads/a^",
  "refs/heads/a:b",
  "refs/heads/a?",
  "refs/heads/*",
  "refs/heads/[a]",
  "refs/heads/a\\b",
  "refs/heads/a@{1}",
  "refs/heads/\ud800",
  `refs/heads/${"x".repeat(2000)}`,
];

describe.each(worlds)("names in $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  it("of branches may be strange: they are fetched, found and pushed to like any other", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a\n" });
    for (const ref of strange) await hand.setRef(ref, first);
    const fetched = await mirror.fetchRefs({ remote: hand.remote, refs: strange });
    expect(fetched).toEqual(strange.map((ref) => ({ ref, commit: first })));
    const next = await hand.commit({ parents: [first], changes: { a: "b\n" } });
    await hand.setRef("refs/heads/next", next);
    await world.git.ensureMirror({ key: "one", remote: hand.remote });
    for (const ref of strange.slice(0, 4)) {
      expect(world.mirroredRef("one", ref)).toBe(first);
      const request = { remote: hand.remote, ref, commit: next, expected: first, manner: "fast_forward" } as const;
      expect({ ref, outcome: await mirror.push(request) }).toEqual({ ref, outcome: { kind: "pushed" } });
      expect(await hand.refOf(ref)).toBe(next);
    }
    expect(await hand.refOf(main)).toBe(first);
  });

  it("that no ref can have are refused before git sees them", async () => {
    const { hand, mirror, first } = await withMain(world, { a: "a\n" });
    const { remote } = hand;
    for (const ref of impossible) {
      await expect(mirror.fetchRefs({ remote, refs: [main, ref] })).rejects.toMatchObject({ kind: "bad_request" });
      const push = { remote, ref, commit: first, expected: null, manner: "rewrite" } as const;
      await expect(mirror.push(push)).rejects.toMatchObject({ kind: "bad_request" });
    }
  });
});

function takes(name: string): boolean {
  try {
    execFileSync("git", ["check-ref-format", name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("names that git itself takes", () => {
  let world: RealWorld;
  beforeEach(async () => {
    world = await realWorld();
  });
  afterEach(() => world.close());

  it("are those that we take", () => {
    const parts = [
      "a",
      "-",
      ".",
      "..",
      "/",
      ".lock",
      "@",
      "{",
      "@{",
      "~",
      " ",
      "\t",
      "*",
      "\u00fc",
      "\u0085",
      "x.",
      "\\",
    ];
    let state = 7;
    const pick = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const made = Array.from({ length: 120 }, () => {
      const length = 1 + pick(5);
      return `refs/heads/${Array.from({ length }, () => parts[pick(parts.length)]).join("")}`;
    });
    const names = [
      ...new Set(made),
      ...strange,
      ...impossible.filter((name) => name !== "" && !/\0|\ud800/.test(name)),
    ];
    const full = names.filter((name) => name.startsWith("refs/") && name.length < 500);
    const verdicts = full.map((name) => ({ name, isTaken: takes(name) }));
    expect(full.map((name) => ({ name, isTaken: isRefName(name) }))).toEqual(verdicts);
    expect(verdicts.filter(({ isTaken }) => isTaken).length).toBeGreaterThan(20);
  });

  it("of files are bytes: those that are not UTF-8 are listed and compared as they are", async () => {
    const hand = await world.createRemote();
    const first = await hand.commit({ changes: { a: "a\n" } });
    const blob = plainGit(hand.folder, ["hash-object", "-w", "--stdin"], { input: Buffer.from("x\n") })
      .toString()
      .trim();
    const names = ["\u00ff\u00fe", "\u00ff\u00fd", "tab\tbell\u0007", "n".repeat(300), "CASE", "case"];
    const entries = names.map((name) => `100644 blob ${blob}\t${name}\0`).join("");
    const input = Buffer.from(entries, "latin1");
    const tree = plainGit(hand.folder, ["mktree", "-z"], { input }).toString().trim();
    const made = plainGit(hand.folder, ["commit-tree", "-p", first, "-m", "odd", tree]).toString().trim();
    plainGit(hand.folder, ["update-ref", main, made]);
    const mirror = await world.git.ensureMirror({ key: "one", remote: hand.remote });
    const head = world.mirroredRef("one", main);
    if (head === undefined) throw new Error("not fetched");
    const list = await mirror.listTree({ commit: head, folder: "", entriesMax: 100 });
    if (list.kind !== "tree") throw new Error(list.kind);
    const seen = list.entries.map(({ path }) => Buffer.from(pathBytes(path)).toString("latin1"));
    expect(seen).toEqual(names.toSorted());
    expect(await mirror.patchOf({ base: first, head })).not.toBeNull();
  });
});
