import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { secondMs, wholeSecond } from "#core/model/instant.ts";
import { ForgeError } from "#ports/forge.ts";
import { openScene, pushMore, type Scene } from "./scene.ts";
import { only } from "./seen.ts";
import { having, lacking } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("a pull on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("says who proposes what, and starts with nothing else", async () => {
    const { pull: ref, head, people, repository } = scene;
    const seen = await scene.seen();
    expect(seen.pull).toMatchObject({
      repository,
      number: ref.number,
      title: "Add a parser",
      body: "It reads.",
      author: { id: people.ada.id, login: "ada" },
      state: "open",
      isDraft: false,
      head: { sha: head, branch: "parser", isFork: false },
      base: { branch: "main" },
      labels: [],
      mergeability: { kind: "mergeable" },
      requestedReviewers: [],
    });
    const { comments, reviews, threads, reactions, checks, gate, limitsReached } = seen;
    expect({ comments, reviews, threads, reactions, checks, gate, limitsReached }).toEqual({
      comments: [],
      reviews: [],
      threads: [],
      reactions: [],
      checks: [],
      gate: null,
      limitsReached: [],
    });
  });

  it("shows edits of title, description and labels", async () => {
    await scene.ada.editPull(scene.pull, { title: "Add a lexer", body: "It cuts.", labels: ["bug", "later"] });
    const { pull } = await scene.seen();
    expect({ title: pull.title, body: pull.body, labels: [...pull.labels].sort() }).toEqual({
      title: "Add a lexer",
      body: "It cuts.",
      labels: ["bug", "later"],
    });
  });

  it("shows a draft as such until it is ready, and keeps the title that its author gave", async () => {
    await scene.ada.editPull(scene.pull, { isDraft: true });
    expect((await scene.seen()).pull.isDraft).toBe(true);
    await scene.ada.editPull(scene.pull, { isDraft: false });
    expect((await scene.seen()).pull).toMatchObject({ isDraft: false, title: "Add a parser" });
  });

  it("shows one that was opened as a draft", async () => {
    const { ada, repository, drover } = scene;
    await ada.push({ repository, branch: "idea", changes: { "idea.txt": "?\n" }, message: "Idea" });
    const body = "";
    const draft = await ada.openPull({ repository, branch: "idea", base: "main", title: "Idea", body, isDraft: true });
    expect((await drover.fetchPull(draft)).pull).toMatchObject({ isDraft: true, body: "", number: draft.number });
  });

  it("tells closed, reopened and merged apart", async () => {
    await scene.ada.editPull(scene.pull, { state: "closed" });
    expect((await scene.seen()).pull.state).toBe("closed");
    await scene.ada.editPull(scene.pull, { state: "open" });
    expect((await scene.seen()).pull.state).toBe("open");
    await scene.world.settle(scene.pull);
    await scene.mia.merge(scene.pull);
    expect((await scene.seen()).pull.state).toBe("merged");
  });

  it("follows its branch through a push, a force-push and a rebase", async () => {
    const { ada, mia, pull, repository, head } = scene;
    const second = await pushMore(scene);
    expect((await scene.seen()).pull.head.sha).toBe(second);
    await ada.forcePush({ repository, branch: "parser", to: head });
    expect((await scene.seen()).pull.head.sha).toBe(head);
    await mia.push({ repository, branch: "main", changes: { "other.txt": "other\n" }, message: "Other" });
    const rebased = await ada.rebase(pull);
    expect(rebased).not.toBe(head);
    expect((await scene.seen()).pull.head.sha).toBe(rebased);
  });

  it("shows the base branch that it is pointed at now", async () => {
    const { ada, mia, pull, repository, world } = scene;
    await mia.push({ repository, branch: "release", changes: { "r.txt": "r\n" }, message: "Release" });
    const before = (await scene.seen()).pull.base;
    await world.pass(5 * secondMs);
    await ada.editPull(pull, { base: "release" });
    const { base, createdAt } = (await scene.seen()).pull;
    expect(base.branch).toBe("release");
    // Whoever tells it at all tells that it is younger than the pull.
    expect(base.since ?? world.now()).toBeGreaterThan(createdAt);
    expect(before.since ?? createdAt).toBe(createdAt);
  });

  it("does not claim to be mergeable when it conflicts", async () => {
    const { mia, repository, pull, world } = scene;
    const changes = { "src/app.txt": "all different\n" };
    await mia.push({ repository, branch: "main", changes, message: "Rewrite" });
    expect((await scene.seen()).pull.mergeability.kind).not.toBe("mergeable");
    await world.settle(pull);
    // A forge that says no before it knows is believed after a while, for which there must be time.
    const kinds = having(entry, "time").length > 0 ? ["conflicting"] : ["conflicting", "unknown"];
    expect(kinds).toContain((await scene.seen()).pull.mergeability.kind);
  });

  it.each(having(entry, "merge_delay"))("is not known to be mergeable just after a push, and is later", async () => {
    await pushMore(scene);
    expect((await scene.seen()).pull.mergeability).toEqual({ kind: "unknown" });
    await scene.world.settle(scene.pull);
    expect((await scene.seen()).pull.mergeability).toEqual({ kind: "mergeable" });
  });

  it.each(having(entry, "push_times"))("tells when the head was pushed, by the forge's clock", async () => {
    await scene.world.pass(90 * secondMs);
    const before = scene.world.now();
    await pushMore(scene);
    const { pushedAt } = (await scene.seen()).pull.head;
    expect(pushedAt).toBeGreaterThanOrEqual(wholeSecond(before));
    expect(pushedAt).toBeLessThanOrEqual(scene.world.now());
  });

  it.each(lacking(entry, "push_times"))("does not make up a time of the push", async () => {
    await pushMore(scene);
    expect((await scene.seen()).pull.head.pushedAt).toBeNull();
  });

  it.each(having(entry, "tellsBodyEdits"))("tells who edited the description when, oldest first", async () => {
    const { ada, mia, pull, world, people } = scene;
    await world.pass(5 * secondMs);
    await ada.editPull(pull, { body: "It reads fast." });
    await world.pass(5 * secondMs);
    await mia.editPull(pull, { body: "It reads very fast." });
    await world.pass(5 * secondMs);
    await ada.editPull(pull, { title: "Only the title" });
    const { bodyEdits, createdAt } = (await scene.seen()).pull;
    const edits = bodyEdits.filter(({ at }) => at > createdAt);
    expect(edits.map(({ by }) => by)).toEqual([people.ada.id, people.mia.id]);
    expect(edits.map(({ body }) => body ?? "untold")).toEqual(["It reads fast.", "It reads very fast."]);
    expect(edits.map(({ at }) => at)).toEqual(edits.map(({ at }) => at).sort((a, b) => a - b));
  });

  it.each(lacking(entry, "tellsBodyEdits"))("makes up no history of the description", async () => {
    await scene.ada.editPull(scene.pull, { body: "It reads fast." });
    const { bodyEdits, body } = (await scene.seen()).pull;
    expect({ bodyEdits, body }).toEqual({ bodyEdits: [], body: "It reads fast." });
  });

  it("that does not exist is not found, nor is one of a repository that does not", async () => {
    const { drover, pull, repository } = scene;
    const nowhere = { id: RepositoryId.parse("4711"), name: "mia/nothing" };
    for (const missing of [
      { ...pull, number: 4711 },
      { repository: nowhere, number: 1 },
    ]) {
      const error: unknown = await drover.fetchPull(missing).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ForgeError);
      expect(error).toMatchObject({ kind: "not_found" });
    }
    await expect(drover.fetchOpenPulls(nowhere)).rejects.toMatchObject({ kind: "not_found" });
    await expect(drover.fetchRemote(nowhere, "read")).rejects.toMatchObject({ kind: "not_found" });
    await expect(drover.fetchRepository(nowhere.name)).rejects.toMatchObject({ kind: "not_found" });
    expect(await drover.fetchRepository(repository.name)).toEqual(repository);
    expect(only(await drover.fetchOpenPulls(repository)).pull).toEqual(pull);
  });
});
