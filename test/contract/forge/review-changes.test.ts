import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReviewId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import type { Verdict } from "#core/review/verdict.ts";
import { openScene, remarks, type Scene } from "./scene.ts";
import { bodiesOf, fetchSeen, only, theOne } from "./seen.ts";
import { having } from "./world.ts";
import { worlds, worldsWith } from "./worlds.ts";

describe.each(worlds)("a submitted review of ours on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  function submit(event: Verdict, body: string): Promise<ReviewId> {
    const { pull, head, drover } = scene;
    return drover.submitReview({ pull, head, event, body, remarks: [remarks.added] });
  }

  it.each(having(entry, "mayEditReviewBodies"))("changes its text for everybody, and twice is once", async () => {
    const { drover, pull, world, people } = scene;
    const review = await submit("request_changes", "First.");
    await submit("comment", "Beside.");
    const { submittedAt } = theOne((await scene.seen()).reviews, "First.");
    await world.pass(5 * secondMs);
    for (let time = 0; time < 2; time++) {
      await drover.editReview({ pull, review, body: "Second." });
      for (const seen of [await scene.seen(), await fetchSeen(world.clientOf(people.rita), pull)]) {
        expect(bodiesOf(seen.reviews)).toEqual(["Beside.", "Second."]);
        const found = theOne(seen.reviews, "Second.");
        expect(found).toMatchObject({ id: review, state: "changes_requested", submittedAt });
        expect([seen.comments, seen.threads.length]).toEqual([[], 2]);
      }
    }
  });

  it.each(having(entry, "mayEditReviewBodies"))("of a person is seen as that person edited it last", async () => {
    const { world, people, pull, head } = scene;
    const rita = world.clientOf(people.rita);
    const review = await rita.submitReview({ pull, head, event: "approve", body: "Good.", remarks: [] });
    await rita.editReview({ pull, review, body: "Good, but see below." });
    await rita.editReview({ pull, review, body: "Good after all." });
    const found = only((await scene.seen()).reviews);
    expect(found).toMatchObject({ id: review, state: "approved", body: "Good after all." });
  });

  it.each(having(entry, "mayEditReviewBodies"))("keeps its new text through a hundred other reviews", async () => {
    const { drover, pull, rita } = scene;
    const review = await submit("comment", "First.");
    for (let index = 0; index < 101; index++) await rita.review(pull, { event: "comment", body: `Later ${index}.` });
    await drover.editReview({ pull, review, body: "Second." });
    const { reviews } = await scene.seen();
    expect(reviews).toHaveLength(102);
    expect(theOne(reviews, "Second.").id).toBe(review);
  });

  it.each(having(entry, "mayDismissReviews"))("is withdrawn without being deleted, and twice is once", async () => {
    const { drover, pull, world, repository, people } = scene;
    // Some forges let admins alone withdraw verdicts, their own included.
    await world.setPermission({ repository, account: people.drover, permission: "admin" });
    const review = await submit("approve", "Good.");
    for (let time = 0; time < 2; time++) {
      await drover.dismissReview({ pull, review, words: "Something came up." });
      const { reviews, threads } = await scene.seen();
      expect(only(reviews)).toMatchObject({ id: review, state: "dismissed", body: "Good." });
      expect(only(only(threads).comments).body).toBe(remarks.added.body);
    }
  });

  it("is not removed by being taken for a pending one", async () => {
    const { drover, pull } = scene;
    const review = await submit("approve", "Good.");
    await drover.discardPendingReview({ pull, review }).catch(() => undefined);
    const { reviews, threads } = await scene.seen();
    expect(only(reviews)).toMatchObject({ id: review, state: "approved", body: "Good." });
    expect(threads).toHaveLength(1);
  });
});

describe.each(worldsWith("pending_reviews"))("a pending review of ours on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("is discarded with its remarks, and twice is once", async () => {
    const { drover, pull, people, world } = scene;
    await world.leavePendingReview({ pull, by: people.drover });
    const { id } = only((await scene.seen()).reviews);
    for (let time = 0; time < 2; time++) {
      await drover.discardPendingReview({ pull, review: id });
      const { reviews, threads } = await world.look(pull);
      expect({ reviews, threads }).toEqual({ reviews: [], threads: [] });
    }
  });

  it("that was discarded does not leak into the next", async () => {
    const { drover, pull, people, world, head } = scene;
    await world.leavePendingReview({ pull, by: people.drover });
    const { id } = only((await scene.seen()).reviews);
    await drover.discardPendingReview({ pull, review: id });
    await drover.submitReview({ pull, head, event: "approve", body: "Good.", remarks: [remarks.range] });
    const { reviews, threads } = await scene.seen();
    expect(only(reviews)).toMatchObject({ state: "approved", body: "Good." });
    expect(bodiesOf(threads.flatMap((thread) => thread.comments))).toEqual([remarks.range.body]);
  });

  it("of somebody else is not ours to discard", async () => {
    const { drover, pull, people, world } = scene;
    await world.leavePendingReview({ pull, by: people.rita });
    const { id } = only((await world.look(pull)).reviews);
    await drover.discardPendingReview({ pull, review: id }).catch(() => undefined);
    expect(only((await world.look(pull)).reviews)).toMatchObject({ id, state: "pending" });
  });
});
