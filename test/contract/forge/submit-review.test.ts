import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { ForgeError, type ReviewRemark, type ReviewSubmission } from "#ports/forge.ts";
import { foreignRemark, openScene, pushMore, remarks, type Scene } from "./scene.ts";
import { bodiesOf, fetchSeen, only } from "./seen.ts";
import { having, lacking } from "./world.ts";
import { worlds } from "./worlds.ts";

const everywhere: readonly ReviewRemark[] = [remarks.added, remarks.removed, remarks.context, remarks.range];

describe.each(worlds)("a review of ours on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  function submit(change: Partial<ReviewSubmission> = {}): ReturnType<Scene["drover"]["submitReview"]> {
    const { pull, head, drover } = scene;
    return drover.submitReview({ pull, head, event: "comment", body: "A look.", remarks: [], ...change });
  }

  it.each([
    ["approve", "approved"],
    ["request_changes", "changes_requested"],
    ["comment", "commented"],
  ] as const)("that says %s is submitted as such, for everybody to see", async (event, state) => {
    const { pull, head, people, world } = scene;
    const id = await submit({ event, body: "My word." });
    const review = only((await scene.seen()).reviews);
    expect(review).toMatchObject({ id, state, body: "My word.", author: { id: people.drover.id } });
    expect([head, null]).toContain(review.commit);
    expect(only((await fetchSeen(world.clientOf(people.rita), pull)).reviews)).toMatchObject({ id, state });
  });

  it("puts its remarks on both sides, on lines and ranges, each in a thread of its own", async () => {
    const { people } = scene;
    await submit({ event: "request_changes", body: "Four things.", remarks: everywhere });
    const { threads, reviews } = await scene.seen();
    expect(only(reviews).state).toBe("changes_requested");
    const found = threads.map(({ path, line, isResolved, comments }) => {
      const { author, body } = only(comments);
      return { path, line, isResolved, author: author.id, body: String(body) };
    });
    const expected = everywhere.map(({ path, lines, body }) => {
      return { path, line: lines.last, isResolved: false, author: people.drover.id, body };
    });
    expect(found.sort((a, b) => a.body.localeCompare(b.body))).toEqual(
      expected.sort((a, b) => a.body.localeCompare(b.body)),
    );
  });

  it("with sixty remarks has them all", async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...remarks.range, body: `Remark ${index}.` }));
    await submit({ body: "Much to say.", remarks: many });
    expect(bodiesOf((await scene.seen()).threads.flatMap((thread) => thread.comments))).toEqual(bodiesOf(many));
  });

  it("stands beside an earlier one, with its own verdict", async () => {
    await submit({ event: "request_changes", body: "Not yet." });
    await submit({ event: "approve", body: "Now." });
    const found = (await scene.seen()).reviews.map(({ state, body }) => `${state}: ${body}`).sort();
    expect(found).toEqual(["approved: Now.", "changes_requested: Not yet."]);
  });

  it("can still be given for the head that was read, when another has come", async () => {
    const second = await pushMore(scene);
    await submit({ event: "comment", body: "Of the earlier head." });
    const review = only((await scene.seen()).reviews);
    expect(review.body).toBe("Of the earlier head.");
    expect([scene.head, second, null]).toContain(review.commit);
  });

  it.each(having(entry, "refused_anchors"))("with a remark outside of the diff is refused as a whole", async () => {
    const refused = submit({ remarks: [remarks.added, foreignRemark, remarks.range] });
    await expect(refused).rejects.toMatchObject({ name: "ForgeError", kind: "refused", isApplied: "no" });
    const { reviews, threads } = await scene.world.look(scene.pull);
    expect({ reviews, threads }).toEqual({ reviews: [], threads: [] });
  });

  it.each(having(entry, "refused_anchors"))("refuses a range that reaches from one hunk into another", async () => {
    const across: ReviewRemark = { ...remarks.context, lines: { first: 10, last: 30 } };
    await expect(submit({ remarks: [across] })).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
    expect((await scene.seen()).reviews).toEqual([]);
  });

  it.each(lacking(entry, "refused_anchors"))("with a remark outside of the diff keeps all the others", async () => {
    const id = await submit({ remarks: [remarks.added, foreignRemark, remarks.range] });
    const { reviews, threads } = await scene.seen();
    expect(only(reviews)).toMatchObject({ id, state: "commented" });
    const said = bodiesOf(threads.flatMap((thread) => thread.comments));
    expect(said).toEqual(expect.arrayContaining([remarks.added.body, remarks.range.body]));
  });

  it.each(lacking(entry, "mayJudgeOwnPull"))("of a pull of our own can comment, not judge", async () => {
    const { world, people, repository, drover } = scene;
    const hand = world.as(people.drover);
    const head = await hand.push({ repository, branch: "own", changes: { "own.txt": "own\n" }, message: "Own" });
    const pull = await hand.openPull({ repository, branch: "own", base: "main", title: "Own", body: "" });
    for (const event of ["approve", "request_changes"] as const) {
      const judged = submit({ pull, head, event, body: "Of myself." });
      await expect(judged).rejects.toMatchObject({ name: "ForgeError", kind: "refused", isApplied: "no" });
    }
    expect((await fetchSeen(drover, pull)).reviews).toEqual([]);
    await submit({ pull, head, body: "Of myself." });
    expect(only((await fetchSeen(drover, pull)).reviews)).toMatchObject({ state: "commented", body: "Of myself." });
  });

  it("of a commit that nobody knows fails, and what it leaves does not leak into the next one", async () => {
    const { pull, drover } = scene;
    const nowhere = HeadSha.parse("1".repeat(40));
    const failed: unknown = await submit({ head: nowhere, remarks: [remarks.added] }).catch((cause: unknown) => cause);
    expect(failed).toBeInstanceOf(ForgeError);
    const left = (await scene.seen()).reviews;
    expect(left.filter(({ state }) => state !== "pending")).toEqual([]);
    for (const { id } of left) await drover.discardPendingReview({ pull, review: id });
    await submit({ event: "request_changes", body: "The real one.", remarks: [remarks.range] });
    const { reviews, threads } = await scene.seen();
    expect(only(reviews)).toMatchObject({ state: "changes_requested", body: "The real one." });
    expect(bodiesOf(threads.flatMap((thread) => thread.comments))).toEqual([remarks.range.body]);
  });
});
