import { describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { type Harness, kindsSince, namesOf, openHarness, pushTo } from "./harness.ts";

/** Pushes behind the forge's back, as Drover does. */
async function pushThroughGit({ git, drover, repository }: Harness, expected: HeadSha): Promise<HeadSha> {
  const remote = await drover.fetchRemote(repository, "push");
  const mirror = await git.ensureMirror({ key: "tools", remote });
  const main = (await mirror.fetchRefs({ remote, refs: ["refs/heads/main"] }))[0]?.commit;
  const tree = main && (await mirror.findTree(main));
  if (!tree) throw new Error("no tree");
  const identity = { name: "drover", email: "drover@localhost" };
  const commit = await mirror.commitTree({ tree, parents: [expected], message: "Fix", identity, at: instant(0) });
  await mirror.push({ remote, ref: "refs/heads/change", commit, expected, manner: "fast_forward" });
  return commit;
}

describe.each(["github", "gitea"] as const)("a push past the forge, in the manner of %s", (manner) => {
  it("is seen by the next call, as a push of whoever was given access", async () => {
    const harness = await openHarness(manner);
    const { sandbox, drover, pull, accounts } = harness;
    const before = { history: sandbox.history.length, deliveries: sandbox.deliveries.length };
    const commit = await pushThroughGit(harness, harness.head);
    expect(kindsSince(harness, before.history)).toEqual([]);
    const seen = await drover.fetchPull(pull);
    expect(seen.pull).toMatchObject({ head: { sha: commit }, mergeability: { kind: "unknown" } });
    expect(kindsSince(harness, before.history)).toEqual(["pushed", "head_changed"]);
    expect(sandbox.history.slice(before.history).map(({ by }) => by)).toEqual([accounts.drover, accounts.drover]);
    const name = manner === "github" ? "pull_request/synchronize" : "pull_request/synchronized";
    expect(namesOf(sandbox.deliveries.slice(before.deliveries))).toEqual([name]);
  });

  it("is seen by the next person too, and is not theirs", async () => {
    const harness = await openHarness(manner);
    const before = harness.sandbox.history.length;
    await pushThroughGit(harness, harness.head);
    await harness.people.otto.comment(harness.pull, "Hello.");
    const found = harness.sandbox.history.slice(before).map(({ by, what }) => `${by.login} ${what.kind}`);
    expect(found).toEqual(["drover pushed", "drover head_changed", "otto commented"]);
  });

  it("is registered once, however many calls follow", async () => {
    const harness = await openHarness(manner);
    await pushThroughGit(harness, harness.head);
    const before = harness.sandbox.history.length;
    await Promise.all([1, 2, 3].map(() => harness.drover.fetchPull(harness.pull)));
    expect(kindsSince(harness, before)).toEqual(["pushed", "head_changed"]);
  });
});

describe("the heads of pulls", () => {
  it("can be fetched under their number, and follow each push", async () => {
    const harness = await openHarness("github");
    const { drover, repository, pull, git } = harness;
    const remote = await drover.fetchRemote(repository, "push");
    const mirror = await git.ensureMirror({ key: "tools", remote });
    const { headRef } = await drover.fetchPull(pull);
    expect(await mirror.fetchRefs({ remote, refs: [headRef] })).toEqual([{ ref: headRef, commit: harness.head }]);
    const commit = await pushTo(harness, "b.txt");
    expect(await mirror.fetchRefs({ remote, refs: [headRef] })).toEqual([{ ref: headRef, commit }]);
  });

  it("move together where two pulls have one branch", async () => {
    const harness = await openHarness("github");
    const { people, repository, pull, sandbox } = harness;
    await people.mia.push({ repository, branch: "release", changes: { "r.txt": "r\n" }, message: "Release" });
    const other = await people.ada.openPull({ repository, branch: "change", base: "release", title: "Too", body: "" });
    const commit = await pushTo(harness, "b.txt");
    expect([pull, other].map((ref) => sandbox.look(ref).pull.head.sha)).toEqual([commit, commit]);
  });

  it("do not follow a closed pull's branch, and catch up when it is opened again", async () => {
    const harness = await openHarness("github");
    await harness.people.ada.editPull(harness.pull, { state: "closed" });
    const commit = await pushTo(harness, "b.txt");
    expect(harness.sandbox.look(harness.pull).pull.head.sha).toBe(harness.head);
    const before = harness.sandbox.history.length;
    await harness.people.ada.editPull(harness.pull, { state: "open" });
    expect(harness.sandbox.look(harness.pull).pull.head.sha).toBe(commit);
    expect(kindsSince(harness, before)).toEqual(["pull_edited", "head_changed"]);
  });

  it("keep their place when the branch moves by force, and get a new one by a rebase", async () => {
    const harness = await openHarness("github");
    const { people, repository, pull, sandbox } = harness;
    await people.mia.push({ repository, branch: "main", changes: { "m.txt": "m\n" }, message: "Main" });
    const rebased = await people.ada.rebase(pull);
    expect(rebased).not.toBe(harness.head);
    expect(sandbox.look(pull).pull.head.sha).toBe(rebased);
    await people.ada.forcePush({ repository, branch: "change", to: harness.head });
    expect(sandbox.look(pull).pull.head.sha).toBe(harness.head);
  });
});
