import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import type { Mirror, PushOutcome, PushRequest } from "#ports/git.ts";
import { at, identity, main, type RemoteHand, type World, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

async function commitOn(mirror: Mirror, parent: HeadSha, minute: number): Promise<HeadSha> {
  const tree = await mirror.findTree(parent);
  if (tree === undefined) throw new Error("no tree");
  return await mirror.commitTree({ tree, parents: [parent], message: "ours", identity, at: at(minute) });
}

describe.each(worlds)("pushing with $name", ({ open }) => {
  let world: World;
  beforeEach(async () => {
    world = await open();
  });
  afterEach(() => world.close());

  interface Scene {
    readonly hand: RemoteHand;
    readonly mirror: Mirror;
    readonly first: HeadSha;
    /** Made by Drover, on top of `first`, known to nobody else. */
    readonly ours: HeadSha;
  }

  async function scene(): Promise<Scene> {
    const { hand, mirror, first } = await withMain(world, { a: "a\n" });
    return { hand, mirror, first, ours: await commitOn(mirror, first, 5) };
  }

  function push({ hand, mirror, first, ours }: Scene, change: Partial<PushRequest> = {}): Promise<PushOutcome> {
    const request = { remote: hand.remote, ref: main, commit: ours, expected: first, manner: "fast_forward" } as const;
    return mirror.push({ ...request, ...change });
  }

  it("moves the ref, and says so because it saw it there", async () => {
    const made = await scene();
    expect(await push(made)).toEqual({ kind: "pushed" });
    expect(await made.hand.refOf(main)).toBe(made.ours);
  });

  it("says the same when asked again after a lost answer", async () => {
    const made = await scene();
    await push(made);
    expect(await push(made)).toEqual({ kind: "pushed" });
  });

  it("leaves alone what somebody else pushed meanwhile", async () => {
    const made = await scene();
    const theirs = await made.hand.commit({ parents: [made.first], changes: { a: "theirs\n" }, minute: 1 });
    await made.hand.setRef(main, theirs);
    expect(await push(made)).toEqual({ kind: "moved", to: theirs });
    expect(await made.hand.refOf(main)).toBe(theirs);
  });

  it("leaves it alone even if it was fetched in between, and even if asked to rewrite", async () => {
    const made = await scene();
    const theirs = await made.hand.commit({ parents: [made.first], changes: { a: "theirs\n" }, minute: 1 });
    await made.hand.setRef(main, theirs);
    await made.mirror.fetchRefs({ remote: made.hand.remote, refs: [main] });
    await world.git.ensureMirror({ key: "one", remote: made.hand.remote });
    expect(await push(made)).toEqual({ kind: "moved", to: theirs });
    expect(await push(made, { manner: "rewrite" })).toEqual({ kind: "moved", to: theirs });
    expect(await made.hand.refOf(main)).toBe(theirs);
  });

  it("does not bring back a branch that was deleted", async () => {
    const made = await scene();
    await made.hand.setRef(main, null);
    expect(await push(made)).toEqual({ kind: "moved", to: null });
    expect(await made.hand.refOf(main)).toBeNull();
  });

  it("makes a new ref only where there is none", async () => {
    const made = await scene();
    const fresh = "refs/heads/drover/fresh";
    expect(await push(made, { ref: fresh, expected: null })).toEqual({ kind: "pushed" });
    expect(await made.hand.refOf(fresh)).toBe(made.ours);
    expect(await push(made, { expected: null })).toEqual({ kind: "moved", to: made.first });
    expect(await made.hand.refOf(main)).toBe(made.first);
  });

  it("rewrites history only where asked to", async () => {
    const made = await scene();
    await push(made);
    await made.mirror.fetchRefs({ remote: made.hand.remote, refs: [main] });
    const beside = { ...made, ours: await commitOn(made.mirror, made.first, 6) };
    const from = { expected: made.ours };
    expect(await push(beside, from)).toEqual({ kind: "refused", why: "not_fast_forward" });
    expect(await made.hand.refOf(main)).toBe(made.ours);
    expect(await push(beside, { ...from, manner: "rewrite" })).toEqual({ kind: "pushed" });
    expect(await made.hand.refOf(main)).toBe(beside.ours);
  });

  it("does not guess about a commit that it does not know", async () => {
    const made = await scene();
    const theirs = await made.hand.commit({ parents: [made.first], changes: { a: "theirs\n" }, minute: 1 });
    await made.hand.setRef(main, theirs);
    expect(await push(made, { expected: theirs })).toEqual({ kind: "refused", why: "unknown_history" });
    const nowhere = HeadSha.parse("1".repeat(40));
    await expect(push(made, { commit: nowhere })).rejects.toMatchObject({ kind: "bad_request" });
  });

  it("tells a refusal of the remote from a move", async () => {
    const made = await scene();
    made.hand.closeDoors();
    expect(await push(made)).toEqual({ kind: "refused", why: "remote_rejected" });
    expect(await made.hand.refOf(main)).toBe(made.first);
  });

  it("touches no other ref and takes nothing else along", async () => {
    const made = await scene();
    await made.hand.setRef("refs/heads/other", made.first);
    await made.hand.setRef("refs/tags/v1", made.first);
    await push(made);
    expect(await made.hand.refOf("refs/heads/other")).toBe(made.first);
    expect(await made.hand.refOf("refs/tags/v1")).toBe(made.first);
    expect(await made.hand.refOf("refs/drover/remote/heads/main")).toBeNull();
  });

  it("does not know what became of a push to a remote that does not answer", async () => {
    const made = await scene();
    const remote = { url: "/nonexistent/remote.git", credential: null };
    expect(await push(made, { remote })).toEqual({ kind: "unknown", why: "no_answer" });
  });

  it("can push to another repository than it fetched from", async () => {
    const made = await scene();
    const fork = await world.createRemote();
    expect(await push(made, { remote: fork.remote, expected: null })).toEqual({ kind: "pushed" });
    expect(await fork.refOf(main)).toBe(made.ours);
    expect(await made.hand.refOf(main)).toBe(made.first);
  });

  it("makes the same commit from the same request, and another from another", async () => {
    const made = await scene();
    expect(await commitOn(made.mirror, made.first, 5)).toBe(made.ours);
    expect(await commitOn(made.mirror, made.first, 6)).not.toBe(made.ours);
    const tree = await made.mirror.findTree(made.first);
    if (tree === undefined) throw new Error("no tree");
    const request = { tree, parents: [made.first], message: "m", identity, at: at(0) };
    for (const wrong of [
      { identity: { name: "a <b>", email: "x" } },
      { identity: { name: "a\nparent", email: "x" } },
      { identity: { name: "a", email: "" } },
      { message: "nul\0" },
      { parents: [HeadSha.parse("1".repeat(40))] },
    ]) {
      await expect(made.mirror.commitTree({ ...request, ...wrong })).rejects.toMatchObject({ kind: "bad_request" });
    }
  });
});
