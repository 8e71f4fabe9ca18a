import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Thread } from "#core/model/conversation.ts";
import { ThreadId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { openScene, pushMore, remarks, type Scene } from "./scene.ts";
import { only } from "./seen.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("in threads on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  /** Two threads of rita's; the one on the added line is talked about. */
  async function threadOfRita(): Promise<Thread> {
    await scene.rita.review(scene.pull, {
      event: "request_changes",
      body: "Two things.",
      remarks: [remarks.added, remarks.range],
    });
    return findThread();
  }

  async function findThread(): Promise<Thread> {
    return only((await scene.seen()).threads.filter(({ path }) => path === remarks.added.path));
  }

  it("a reply of ours is the last word, and opens no other thread", async () => {
    const { drover, pull, ada, world, people } = scene;
    const { id } = await threadOfRita();
    await world.pass(2 * secondMs);
    await ada.reply(pull, id, "Why?");
    await world.pass(2 * secondMs);
    const reply = await drover.replyInThread({ pull, thread: id, body: "Because." });
    const { threads, comments } = await scene.seen();
    expect([threads.length, comments]).toEqual([2, []]);
    const said = (await findThread()).comments;
    expect(said.map(({ body }) => String(body))).toEqual([remarks.added.body, "Why?", "Because."]);
    expect(said.at(-1)).toMatchObject({ id: reply, author: { id: people.drover.id } });
  });

  it("a reply of ours changes nobody's verdict", async () => {
    const { drover, pull, people } = scene;
    const { id } = await threadOfRita();
    await drover.replyInThread({ pull, thread: id, body: "Because." });
    const judged = (await scene.seen()).reviews.filter(({ author }) => author.id === people.rita.id);
    expect(only(judged).state).toBe("changes_requested");
    const ours = (await scene.seen()).reviews.filter(({ author }) => author.id === people.drover.id);
    expect(ours.filter(({ state }) => state !== "commented")).toEqual([]);
  });

  it("replies can be given in a thread of our own, and in one that is resolved", async () => {
    const { drover, pull, head, rita } = scene;
    await drover.submitReview({ pull, head, event: "comment", body: "One.", remarks: [remarks.removed] });
    const { id } = only((await scene.seen()).threads);
    await drover.replyInThread({ pull, thread: id, body: "Still." });
    await rita.resolveThread(pull, id);
    await drover.replyInThread({ pull, thread: id, body: "Fixed, thank you." });
    const thread = only((await scene.seen()).threads);
    expect(thread.comments.map(({ body }) => String(body))).toEqual([
      remarks.removed.body,
      "Still.",
      "Fixed, thank you.",
    ]);
  });

  it("that do not exist nothing is said", async () => {
    const { drover, pull } = scene;
    const reply = drover.replyInThread({ pull, thread: ThreadId.parse("4711"), body: "Hello?" });
    await expect(reply).rejects.toMatchObject({ name: "ForgeError", kind: "not_found", isApplied: "no" });
    expect((await scene.seen()).threads).toEqual([]);
  });

  /** What is known of the lines of the one thread on a file. */
  async function remarkedIn(path: string): Promise<Thread["remarked"]> {
    return only((await scene.seen()).threads.filter((thread) => thread.path === path)).remarked;
  }

  it("the lines of a remark are told with their side, their text and the commit, as far as a forge has ranges", async () => {
    const { rita, pull, head } = scene;
    await rita.review(pull, { event: "comment", body: "Two.", remarks: [remarks.removed, remarks.range] });
    const removed = { commit: head, side: "old", first: 30, last: 30, text: "line 30" };
    expect(await remarkedIn(remarks.removed.path)).toEqual(removed);
    const range = { commit: head, side: "new", first: 2, last: 4, text: "two\nthree\nfour" };
    const lastOfIt = { ...range, first: 4, text: "four" };
    expect([range, lastOfIt]).toContainEqual(await remarkedIn(remarks.range.path));
  });

  it("the lines of a remark stay those that it was made on, whatever is pushed above them", async () => {
    const { rita, pull, world } = scene;
    await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.range] });
    const before = await remarkedIn(remarks.range.path);
    expect(before).not.toBeNull();
    await pushMore(scene, remarks.range.path, "zero\nzero\none\ntwo\nthree\nfour\nfive\n");
    await world.settle(pull);
    expect(await remarkedIn(remarks.range.path)).toEqual(before);
  });

  it.each(having(entry, "mayResolveThreads"))("resolving one leaves the other, and twice is once", async () => {
    const { drover, pull } = scene;
    const { id } = await threadOfRita();
    for (let time = 0; time < 2; time++) {
      await drover.resolveThread({ pull, thread: id });
      const { threads } = await scene.seen();
      expect(threads).toHaveLength(2);
      expect(threads.filter(({ isResolved }) => isResolved).map((thread) => thread.id)).toEqual([id]);
      expect((await findThread()).comments).toHaveLength(1);
    }
  });
});

describe.each(worlds)("asking for reviews on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  const asked = async (): Promise<readonly string[]> =>
    (await scene.seen()).pull.requestedReviewers.map(({ login }) => login).sort();

  it("names those who are asked, and twice is once", async () => {
    const { drover, pull, people } = scene;
    await drover.requestReviews({ pull, reviewers: [people.rita] });
    expect(await asked()).toEqual(["rita"]);
    await drover.requestReviews({ pull, reviewers: [people.rita, people.mia] });
    expect(await asked()).toEqual(["mia", "rita"]);
  });

  it("is answered by a review, and can be asked again afterwards", async () => {
    const { drover, pull, people, rita } = scene;
    await drover.requestReviews({ pull, reviewers: [people.rita] });
    await rita.review(pull, { event: "request_changes", body: "Not yet." });
    expect(await asked()).toEqual([]);
    await drover.requestReviews({ pull, reviewers: [people.rita] });
    expect(await asked()).toEqual(["rita"]);
    expect(only((await scene.seen()).reviews)).toMatchObject({ state: "changes_requested", body: "Not yet." });
  });
});
