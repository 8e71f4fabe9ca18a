import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secondMs, wholeSecond } from "#core/model/instant.ts";
import { openScene, pushMore, remarks, type Scene } from "./scene.ts";
import { bodiesOf, fetchSeen, only, theOne } from "./seen.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("reviews of people on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("are listed with their verdict, all of them, the superseded too", async () => {
    const { rita, mia, otto, pull, people } = scene;
    await rita.review(pull, { event: "request_changes", body: "Not yet." });
    await rita.review(pull, { event: "approve", body: "Now." });
    await mia.review(pull, { event: "comment", body: "Hm." });
    await otto.review(pull, { event: "approve", body: "From a reader." });
    const { reviews } = await scene.seen();
    const found = reviews.map(({ author, state, body }) => [author.id, state, body].join(" | ")).sort();
    expect(found).toEqual(
      [
        `${people.rita.id} | changes_requested | Not yet.`,
        `${people.rita.id} | approved | Now.`,
        `${people.mia.id} | commented | Hm.`,
        `${people.otto.id} | approved | From a reader.`,
      ].sort(),
    );
  });

  it("say when they were submitted and at which head", async () => {
    const { rita, pull, world, head } = scene;
    await world.pass(90 * secondMs);
    const before = world.now();
    const id = await rita.review(pull, { event: "approve", body: "Good." });
    const review = only((await scene.seen()).reviews);
    expect(review.id).toBe(id);
    expect([head, null]).toContain(review.commit);
    expect(review.submittedAt).toBeGreaterThanOrEqual(wholeSecond(before));
    expect(review.submittedAt).toBeLessThanOrEqual(world.now());
  });

  it("keep their time through a push and a force-push, and name no commit that never was a head", async () => {
    const { rita, ada, pull, world, head, repository } = scene;
    const second = await pushMore(scene);
    await rita.review(pull, { event: "approve", body: "Good." });
    const { submittedAt } = only((await scene.seen()).reviews);
    await world.pass(90 * secondMs);
    await ada.forcePush({ repository, branch: "parser", to: head });
    const review = only((await scene.seen()).reviews);
    expect(review).toMatchObject({ submittedAt, state: "approved" });
    expect([head, second, null]).toContain(review.commit);
  });

  it("are dismissed, not gone, when a maintainer dismisses them", async () => {
    const { rita, mia, pull } = scene;
    const id = await rita.review(pull, { event: "approve", body: "Good." });
    await mia.dismissReview(pull, id);
    expect(only((await scene.seen()).reviews)).toMatchObject({ id, state: "dismissed", body: "Good." });
  });

  it.each([101])("are all there where there are %i", async (count) => {
    const texts = Array.from({ length: count }, (_, index) => `Review ${String(index).padStart(4, "0")}.`);
    for (const body of texts) await scene.rita.review(scene.pull, { event: "comment", body });
    expect(bodiesOf((await scene.seen()).reviews)).toEqual(texts);
  });

  it.each(having(entry, "pending_reviews"))(
    "are invisible as long as they are pending, with their remarks",
    async () => {
      const { world, people, pull } = scene;
      await world.leavePendingReview({ pull, by: people.rita });
      expect((await world.look(pull)).reviews.map(({ state }) => state)).toEqual(["pending"]);
      const { reviews, threads } = await scene.seen();
      expect({ reviews, threads }).toEqual({ reviews: [], threads: [] });
    },
  );

  it.each(having(entry, "pending_reviews"))(
    "are visible to us while they are our own, and to nobody else",
    async () => {
      const { world, people, pull } = scene;
      await world.leavePendingReview({ pull, by: people.drover });
      const { reviews, threads } = await scene.seen();
      expect(only(reviews)).toMatchObject({ state: "pending", author: { id: people.drover.id } });
      // A remark that nobody else can read has not been made.
      expect(threads).toEqual([]);
      const others = await fetchSeen(world.clientOf(people.rita), pull);
      expect({ reviews: others.reviews, threads: others.threads }).toEqual({ reviews: [], threads: [] });
    },
  );
});

describe.each(worlds)("threads of people on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("begin with the remark and have the replies behind it", async () => {
    const { rita, ada, mia, pull, people, world } = scene;
    await rita.review(pull, { event: "comment", body: "Two things.", remarks: [remarks.added, remarks.range] });
    const thread = only((await scene.seen()).threads.filter(({ path }) => path === remarks.added.path));
    await world.pass(2 * secondMs);
    await ada.reply(pull, thread.id, "Why?");
    await world.pass(2 * secondMs);
    await mia.reply(pull, thread.id, "Because.");
    const { threads } = await scene.seen();
    expect(threads).toHaveLength(2);
    const found = only(threads.filter(({ id }) => id === thread.id));
    expect(found).toMatchObject({ path: "src/app.txt", line: 10, isResolved: false });
    expect(found.comments.map(({ author, body }) => [author.id, body])).toEqual([
      [people.rita.id, remarks.added.body],
      [people.ada.id, "Why?"],
      [people.mia.id, "Because."],
    ]);
  });

  it("on the same line by several people lose nobody's remark", async () => {
    const { rita, mia, pull } = scene;
    await rita.review(pull, { event: "comment", body: "One.", remarks: [{ ...remarks.added, body: "Of rita." }] });
    await mia.review(pull, { event: "comment", body: "Two.", remarks: [{ ...remarks.added, body: "Of mia." }] });
    const said = (await scene.seen()).threads.flatMap((thread) => thread.comments);
    expect(bodiesOf(said)).toEqual(["Of mia.", "Of rita."]);
  });

  it("with a hundred replies have them all, in order", async () => {
    const { rita, ada, pull, world } = scene;
    await rita.review(pull, { event: "comment", body: "One thing.", remarks: [remarks.added] });
    const { id } = only((await scene.seen()).threads);
    const replies = Array.from({ length: 100 }, (_, index) => `Reply ${index}.`);
    for (const reply of replies) {
      await world.pass(secondMs);
      await ada.reply(pull, id, reply);
    }
    const { comments } = only((await scene.seen()).threads);
    expect(comments.map(({ body }) => String(body))).toEqual([remarks.added.body, ...replies]);
  });

  it("are all there where there are 101", async () => {
    const { rita, pull } = scene;
    const many = Array.from({ length: 101 }, (_, index) => ({ ...remarks.range, body: `Remark ${index}.` }));
    for (const remark of many) await rita.review(pull, { event: "comment", body: "One more.", remarks: [remark] });
    const said = (await scene.seen()).threads.flatMap((thread) => thread.comments);
    expect(bodiesOf(said)).toEqual(bodiesOf(many));
  });

  it("stay through a push that takes their line away", async () => {
    const { rita, pull } = scene;
    await rita.review(pull, { event: "comment", body: "One thing.", remarks: [remarks.range] });
    await pushMore(scene, "src/new.txt", "nothing of the old\n");
    const thread = only((await scene.seen()).threads);
    expect([thread.path, theOne(thread.comments, remarks.range.body).body]).toEqual(["src/new.txt", "On a range."]);
  });

  it("are resolved when somebody resolved them, and keep their remarks", async () => {
    const { rita, ada, pull } = scene;
    await rita.review(pull, { event: "comment", body: "Two.", remarks: [remarks.added, remarks.range] });
    const [first] = (await scene.seen()).threads;
    if (first === undefined) throw new Error("no thread");
    await ada.resolveThread(pull, first.id);
    const { threads } = await scene.seen();
    const found = threads.map(({ id, isResolved }) => [id === first.id, isResolved]);
    expect(found).toHaveLength(2);
    expect(found.every(([isFirst, isResolved]) => isFirst === isResolved)).toBe(true);
  });

  it.each(having(entry, "edit_times"))("show edited remarks as they are now, and lose deleted replies", async () => {
    const { rita, ada, pull, world } = scene;
    await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.added] });
    const { id, comments } = only((await scene.seen()).threads);
    const reply = await ada.reply(pull, id, "A reply.");
    await world.pass(90 * secondMs);
    await rita.editComment(pull, only(comments).id, "Said better.");
    await ada.deleteComment(pull, reply);
    const comment = only(only((await scene.seen()).threads).comments);
    expect(comment.body).toBe("Said better.");
    expect(comment.editedAt).toBeGreaterThan(comment.createdAt);
  });
});
