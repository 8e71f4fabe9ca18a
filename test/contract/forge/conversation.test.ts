import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secondMs, wholeSecond } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";
import { openScene, type Scene } from "./scene.ts";
import { bodiesOf, fetchSeen, only, theOne } from "./seen.ts";
import { having, lacking } from "./world.ts";
import { worlds } from "./worlds.ts";

const oddText = 'Umlauts äöü, an emoji 🦆, <!-- a marker -->\n\n```rmcoc\n{"a":1}\n```\n\n> a quote\n- [x] `code`';

describe.each(worlds)("the conversation on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it.each([1, 101, 1_001])("has all its comments where there are %i", async (count) => {
    const texts = Array.from({ length: count }, (_, index) => `Comment ${String(index).padStart(5, "0")}.`);
    for (const [index, text] of texts.entries())
      await (index % 2 === 0 ? scene.ada : scene.rita).comment(scene.pull, text);
    const { comments, limitsReached } = await scene.seen();
    expect(bodiesOf(comments)).toEqual(texts);
    expect(new Set(comments.map(({ id }) => id)).size).toBe(count);
    expect(limitsReached).toEqual([]);
  });

  it("keeps every character, who wrote it and when", async () => {
    const { otto, pull, world, people } = scene;
    await world.pass(90 * secondMs);
    const before = world.now();
    const id = await otto.comment(pull, oddText);
    const after = world.now();
    const comment = only((await scene.seen()).comments);
    expect(comment).toMatchObject({ id, body: oddText, author: { id: people.otto.id, login: "otto" }, editedAt: null });
    expect(comment.createdAt).toBeGreaterThanOrEqual(wholeSecond(before));
    expect(comment.createdAt).toBeLessThanOrEqual(after);
  });

  it.each(having(entry, "edit_times"))("shows an edited comment as it is now, and when that was", async () => {
    const { rita, pull, world } = scene;
    const id = await rita.comment(pull, "First.");
    await world.pass(90 * secondMs);
    const before = world.now();
    await rita.editComment(pull, id, "Second.");
    const comment = only((await scene.seen()).comments);
    expect(comment).toMatchObject({ id, body: "Second." });
    expect(comment.editedAt).toBeGreaterThanOrEqual(wholeSecond(before));
    expect(comment.editedAt).toBeLessThanOrEqual(world.now());
    expect(comment.createdAt).toBeLessThan(before);
  });

  it("forgets comments that were deleted, by whom ever", async () => {
    const { rita, mia, pull } = scene;
    await rita.comment(pull, "Stays.");
    const own = await rita.comment(pull, "Goes.");
    const other = await rita.comment(pull, "Goes as well.");
    await rita.deleteComment(pull, own);
    await mia.deleteComment(pull, other);
    expect(bodiesOf((await scene.seen()).comments)).toEqual(["Stays."]);
  });

  it("holds neither the texts of reviews nor the remarks in threads", async () => {
    const { rita, pull } = scene;
    const at = { path: "src/new.txt", side: "new", lines: { first: 1, last: 1 }, body: "A remark." } as const;
    await rita.review(pull, { event: "comment", body: "A review.", remarks: [at] });
    await rita.comment(pull, "A comment.");
    const { comments, reviews, threads } = await scene.seen();
    expect([bodiesOf(comments), bodiesOf(reviews)]).toEqual([["A comment."], ["A review."]]);
    expect(bodiesOf(threads.flatMap((thread) => thread.comments))).toEqual(["A remark."]);
  });

  it("gives no two remarks of a pull the same id, wherever they stand", async () => {
    const { rita, ada, pull } = scene;
    const at = { path: "src/new.txt", side: "new", lines: { first: 1, last: 1 }, body: "Remark." } as const;
    for (let round = 0; round < 3; round++) {
      await ada.comment(pull, `Comment ${round}.`);
      await rita.review(pull, { event: "comment", body: `Review ${round}.`, remarks: [at] });
    }
    const { comments, threads } = await scene.seen();
    const ids = [...comments, ...threads.flatMap((thread) => thread.comments)].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
  });

  it("is that of one pull, not of its neighbour", async () => {
    const { ada, rita, pull, repository, drover } = scene;
    await ada.push({ repository, branch: "beside", changes: { "b.txt": "b\n" }, message: "Beside" });
    const beside = await ada.openPull({ repository, branch: "beside", base: "main", title: "Beside", body: "" });
    const remark = { path: "b.txt", side: "new", lines: { first: 1, last: 1 }, body: "There." } as const;
    await ada.comment(beside, "There.");
    await rita.review(beside, { event: "approve", body: "There.", remarks: [remark] });
    await rita.react(beside, "+1");
    await ada.comment(pull, "Here.");
    const { comments, reviews, threads, reactions } = await scene.seen();
    expect([bodiesOf(comments), reviews, threads, reactions]).toEqual([["Here."], [], [], []]);
    const there = await fetchSeen(drover, beside);
    expect([bodiesOf(there.comments), bodiesOf(there.reviews)]).toEqual([["There."], ["There."]]);
    expect([there.threads.length, there.reactions.length]).toEqual([1, 1]);
  });

  it.each(having(entry, "long_texts"))("cuts a text that is too long, and says that it did", async () => {
    const { ada, pull } = scene;
    await ada.comment(pull, `Long ${"x".repeat(limits.bodyCharactersMax)}`);
    await ada.comment(pull, "Short.");
    const { comments, limitsReached } = await scene.seen();
    expect(limitsReached).toEqual([]);
    expect(theOne(comments, "Short.")).toMatchObject({ body: "Short." });
    expect(theOne(comments, "Short.").isCut).toBeUndefined();
    const long = only(comments.filter(({ body }) => body.startsWith("Long ")));
    expect(long.body.length).toBeLessThanOrEqual(limits.bodyCharactersMax);
    expect(long.isCut).toBe(true);
  });

  it.each(lacking(entry, "long_texts"))("refuses a text that is too long, from people and from us", async () => {
    const { ada, drover, pull } = scene;
    const body = "x".repeat(limits.bodyCharactersMax + 1);
    await expect(ada.comment(pull, body)).rejects.toThrow(Error);
    await expect(drover.createComment({ pull, body })).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
    expect((await scene.seen()).comments).toEqual([]);
  });
});
