import { describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { kindsSince, namesOf, openTown, pushTo, type Town } from "./town.ts";

/** Pushes behind the forge's back, as Drover does. */
async function pushThroughGit({ git, drover, repository }: Town, expected: HeadSha): Promise<HeadSha> {
  const remote = await drover.fetchRemote(repository, "push");
  const mirror = await git.ensureMirror({ key: "tools", remote });
  const tree = await mirror.findTree(await mirrored(mirror.findRef("refs/heads/main")));
  if (tree === undefined) throw new Error("no tree");
  const identity = { name: "drover", email: "drover@localhost" };
  const commit = await mirror.commitTree({ tree, parents: [expected], message: "Fix", identity, at: instant(0) });
  await mirror.push({ remote, ref: "refs/heads/change", commit, expected, manner: "fast_forward" });
  return commit;
}

async function mirrored(found: Promise<HeadSha | undefined>): Promise<HeadSha> {
  const commit = await found;
  if (commit === undefined) throw new Error("no such ref");
  return commit;
}

describe.each(["github", "gitea"] as const)("a push past the forge, in the manner of %s", (manner) => {
  it("is seen by the next call, as a push of whoever was given access", async () => {
    const town = await openTown(manner);
    const { sandbox, drover, pull, accounts } = town;
    const before = { history: sandbox.history.length, deliveries: sandbox.deliveries.length };
    const commit = await pushThroughGit(town, town.head);
    expect(kindsSince(town, before.history)).toEqual([]);
    const seen = await drover.fetchPull(pull);
    expect(seen.pull).toMatchObject({ head: { sha: commit }, mergeability: { kind: "unknown" } });
    expect(kindsSince(town, before.history)).toEqual(["pushed", "head_changed"]);
    expect(sandbox.history.slice(before.history).map(({ by }) => by)).toEqual([accounts.drover, accounts.drover]);
    const name = manner === "github" ? "pull_request/synchronize" : "pull_request/synchronized";
    expect(namesOf(sandbox.deliveries.slice(before.deliveries))).toEqual([name]);
  });

  it("is seen by the next person too, and is not theirs", async () => {
    const town = await openTown(manner);
    const before = town.sandbox.history.length;
    await pushThroughGit(town, town.head);
    await town.people.otto.comment(town.pull, "Hello.");
    const found = town.sandbox.history.slice(before).map(({ by, what }) => `${by.login} ${what.kind}`);
    expect(found).toEqual(["drover pushed", "drover head_changed", "otto commented"]);
  });

  it("is registered once, however many calls follow", async () => {
    const town = await openTown(manner);
    await pushThroughGit(town, town.head);
    const before = town.sandbox.history.length;
    await Promise.all([1, 2, 3].map(() => town.drover.fetchPull(town.pull)));
    expect(kindsSince(town, before)).toEqual(["pushed", "head_changed"]);
  });
});

describe("the heads of pulls", () => {
  it("can be fetched under their number, and follow each push", async () => {
    const town = await openTown("github");
    const { drover, repository, pull, git } = town;
    const remote = await drover.fetchRemote(repository, "push");
    const mirror = await git.ensureMirror({ key: "tools", remote });
    const { headRef } = await drover.fetchPull(pull);
    expect(await mirror.fetchRefs({ remote, refs: [headRef] })).toEqual([{ ref: headRef, commit: town.head }]);
    const commit = await pushTo(town, "b.txt");
    expect(await mirror.fetchRefs({ remote, refs: [headRef] })).toEqual([{ ref: headRef, commit }]);
  });

  it("move together where two pulls have one branch", async () => {
    const town = await openTown("github");
    const { people, repository, pull, sandbox } = town;
    await people.mia.push({ repository, branch: "release", changes: { "r.txt": "r\n" }, message: "Release" });
    const other = await people.ada.openPull({ repository, branch: "change", base: "release", title: "Too", body: "" });
    const commit = await pushTo(town, "b.txt");
    expect([pull, other].map((ref) => sandbox.look(ref).pull.head.sha)).toEqual([commit, commit]);
  });

  it("do not follow a closed pull's branch, and catch up when it is opened again", async () => {
    const town = await openTown("github");
    await town.people.ada.editPull(town.pull, { state: "closed" });
    const commit = await pushTo(town, "b.txt");
    expect(town.sandbox.look(town.pull).pull.head.sha).toBe(town.head);
    const before = town.sandbox.history.length;
    await town.people.ada.editPull(town.pull, { state: "open" });
    expect(town.sandbox.look(town.pull).pull.head.sha).toBe(commit);
    expect(kindsSince(town, before)).toEqual(["pull_edited", "head_changed"]);
  });

  it("keep their place when the branch moves by force, and get a new one by a rebase", async () => {
    const town = await openTown("github");
    const { people, repository, pull, sandbox } = town;
    await people.mia.push({ repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    const rebased = await people.ada.rebase(pull);
    expect(rebased).not.toBe(town.head);
    expect(sandbox.look(pull).pull.head.sha).toBe(rebased);
    await people.ada.forcePush({ repository, branch: "change", to: town.head });
    expect(sandbox.look(pull).pull.head.sha).toBe(town.head);
  });
});
