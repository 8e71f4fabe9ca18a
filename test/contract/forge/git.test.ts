import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { openScene, pushMore, type Scene } from "./scene.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("git beside $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  async function fetchHead(): Promise<{ readonly told: HeadSha; readonly fetched: HeadSha | null | undefined }> {
    const { headRef, pull } = await scene.seen();
    const remote = await scene.drover.fetchRemote(scene.repository, "read");
    const mirror = await scene.world.git.ensureMirror({ key: "tools", remote });
    const [answer] = await mirror.fetchRefs({ remote, refs: [headRef] });
    return { told: pull.head.sha, fetched: answer?.commit };
  }

  it("finds the head under the ref that the forge names, also after pushes of all kinds", async () => {
    const { ada, repository, head } = scene;
    expect(await fetchHead()).toEqual({ told: head, fetched: head });
    const second = await pushMore(scene);
    expect(await fetchHead()).toEqual({ told: second, fetched: second });
    await ada.forcePush({ repository, branch: "parser", to: head });
    expect(await fetchHead()).toEqual({ told: head, fetched: head });
  });

  it("finds the head of a pull that is merged", async () => {
    await scene.mia.merge(scene.pull);
    expect(await fetchHead()).toEqual({ told: scene.head, fetched: scene.head });
  });

  it("makes a push of ours the head of the pull", async () => {
    const { drover, repository, world, head } = scene;
    const remote = await drover.fetchRemote(repository, "push");
    const mirror = await world.git.ensureMirror({ key: "tools", remote });
    const tree = await mirror.findTree(head);
    if (tree === undefined) throw new Error("the head was not fetched");
    const identity = { name: "Drover", email: "drover@example.invalid" };
    const ours = await mirror.commitTree({ tree, parents: [head], message: "Fix", identity, at: world.now() });
    const request = { remote, ref: "refs/heads/parser", commit: ours, expected: head, manner: "fast_forward" } as const;
    expect(await mirror.push(request)).toEqual({ kind: "pushed" });
    // A real server answers a push before it has taken it in.
    const isShown = async (): Promise<void> => expect(await fetchHead()).toEqual({ told: ours, fetched: ours });
    await vi.waitFor(isShown, { timeout: 60_000 });
  });
});
