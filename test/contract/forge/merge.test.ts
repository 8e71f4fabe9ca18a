import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { ForgeError, type MergeOutcome } from "#ports/forge.ts";
import { findBranch, openScene, pushMore, type Scene } from "./scene.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

const settlingsMax = 60;

describe.each(worlds)("merging on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  const merge = (head: HeadSha): Promise<MergeOutcome> => scene.drover.merge({ pull: scene.pull, head });

  /**
   * A real server answers a push before it checks anew whether the pull can be merged, and for a moment it shows what it
   * knew before. Until it has checked, it says "not now".
   */
  async function mergeSettled(head: HeadSha): Promise<MergeOutcome> {
    for (let tried = 1; ; tried++) {
      await scene.world.settle(scene.pull);
      const outcome = await merge(head);
      if (outcome.kind !== "not_now" || tried === settlingsMax) return outcome;
      await scene.world.pass(2 * secondMs);
    }
  }

  /** Where the port leaves it open whether there is an outcome or an error. */
  async function mergeAnyhow(head: HeadSha): Promise<MergeOutcome | { readonly kind: string }> {
    return merge(head).catch((cause: unknown) => {
      if (cause instanceof ForgeError) return { kind: cause.isApplied === "no" ? "an error, not applied" : "unknown" };
      throw cause;
    });
  }

  /** Nothing has landed: neither the forge says so nor git. */
  async function expectNothingMerged(main: HeadSha | undefined): Promise<void> {
    expect(await findBranch(scene, "main")).toBe(main);
    expect((await scene.world.look(scene.pull)).merged).toBeNull();
    expect((await scene.seen()).pull.state).not.toBe("merged");
  }

  async function expectLanded(outcome: MergeOutcome, branch: string): Promise<void> {
    if (outcome.kind !== "merged") throw new Error(`not merged: ${outcome.kind}`);
    expect(await findBranch(scene, branch)).toBe(outcome.commit);
    const mirror = await scene.world.git.findMirror("tools");
    expect(await mirror?.ancestry({ older: scene.head, newer: outcome.commit })).toBe("ancestor");
    expect((await scene.seen()).pull.state).toBe("merged");
    expect((await scene.world.look(scene.pull)).merged).toMatchObject({
      head: scene.head,
      commit: outcome.commit,
      by: { id: scene.people.drover.id },
    });
  }

  it("puts exactly the named head into the base branch", async () => {
    const outcome = await merge(scene.head);
    expect(outcome.kind).toBe("merged");
    await expectLanded(outcome, "main");
  });

  it("goes into the base branch that the pull has now", async () => {
    const { mia, ada, pull, repository } = scene;
    await mia.push({ repository, branch: "release", changes: { "r.txt": "r\n" }, message: "Release" });
    await ada.editPull(pull, { base: "release" });
    const main = await findBranch(scene, "main");
    await expectLanded(await mergeSettled(scene.head), "release");
    expect(await findBranch(scene, "main")).toBe(main);
  });

  it("takes in what came into the base meanwhile", async () => {
    const { mia, repository, world } = scene;
    const other = { "other.txt": "other\n" };
    const main = await mia.push({ repository, branch: "main", changes: other, message: "Other" });
    const outcome = await mergeSettled(scene.head);
    await expectLanded(outcome, "main");
    const mirror = await world.git.findMirror("tools");
    const landed = await findBranch(scene, "main");
    if (landed === undefined) throw new Error("the base branch is gone");
    expect(await mirror?.ancestry({ older: main, newer: landed })).toBe("ancestor");
  });

  it("merges nothing when the head has moved", async () => {
    const main = await findBranch(scene, "main");
    await pushMore(scene);
    expect(await mergeSettled(scene.head)).toEqual({ kind: "head_moved" });
    await expectNothingMerged(main);
  });

  it("merges nothing when the head has moved back by force", async () => {
    const { ada, repository, head } = scene;
    const main = await findBranch(scene, "main");
    const second = await pushMore(scene);
    await ada.forcePush({ repository, branch: "parser", to: head });
    expect(await mergeSettled(second)).toEqual({ kind: "head_moved" });
    await expectNothingMerged(main);
  });

  it.each(having(entry, "merge_delay"))("merges nothing too early after a push, and later does", async () => {
    const main = await findBranch(scene, "main");
    const second = await pushMore(scene);
    expect(await merge(second)).toMatchObject({ kind: "not_now" });
    await expectNothingMerged(main);
    expect(await mergeSettled(second)).toMatchObject({ kind: "merged" });
  });

  it("merges nothing over a conflict", async () => {
    const { mia, repository, pull, world, head } = scene;
    const changes = { "src/app.txt": "all different\n" };
    const main = await mia.push({ repository, branch: "main", changes, message: "Rewrite" });
    await world.settle(pull);
    expect(await merge(head)).toMatchObject({ kind: "not_now" });
    await expectNothingMerged(main);
  });

  it("merges no draft, and it once it is ready", async () => {
    const { ada, pull, head, world } = scene;
    const main = await findBranch(scene, "main");
    await ada.editPull(pull, { isDraft: true });
    await world.settle(pull);
    expect(await merge(head)).toMatchObject({ kind: "not_now" });
    await expectNothingMerged(main);
    await ada.editPull(pull, { isDraft: false });
    expect(await mergeSettled(head)).toMatchObject({ kind: "merged" });
  });

  it("merges nothing that is closed", async () => {
    const { ada, pull, head } = scene;
    const main = await findBranch(scene, "main");
    await ada.editPull(pull, { state: "closed" });
    expect(["not_now", "an error, not applied"]).toContain((await mergeAnyhow(head)).kind);
    await expectNothingMerged(main);
  });

  it("asked twice happens once", async () => {
    const first = await merge(scene.head);
    const again = await mergeAnyhow(scene.head);
    // A claim of a merge can only be the one that there was.
    expect(again.kind === "merged" ? again : first).toEqual(first);
    expect(["merged", "not_now", "an error, not applied"]).toContain(again.kind);
    await expectLanded(first, "main");
  });

  it("after somebody else merged happens no second time", async () => {
    await scene.mia.merge(scene.pull);
    const main = await findBranch(scene, "main");
    await merge(scene.head).catch(() => undefined);
    expect(await findBranch(scene, "main")).toBe(main);
    expect((await scene.world.look(scene.pull)).merged).toMatchObject({ by: { id: scene.people.mia.id } });
  });

  it("is forbidden to those who may only read", async () => {
    const { world, people, pull, head } = scene;
    const main = await findBranch(scene, "main");
    const error: unknown = await world
      .clientOf(people.otto)
      .merge({ pull, head })
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ForgeError);
    expect(error).toMatchObject({ isApplied: "no", kind: expect.stringMatching(/^(?:forbidden|not_found)$/) });
    await expectNothingMerged(main);
  });
});
