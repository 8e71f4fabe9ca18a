import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommentId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import { openScene, remarks, type Scene } from "./scene.ts";
import { bodiesOf, only, theOne } from "./seen.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

const marked = "<!-- drover:status -->\n## Status 🦆\n\n| a | b |\n| --- | --- |\n\n```rmcoc\n{}\n```";

describe.each(worlds)("comments of ours on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("are there for everybody, to the letter, under the id that we were told", async () => {
    const { drover, pull, people, world } = scene;
    const id = await drover.createComment({ pull, body: marked });
    const comment = only((await scene.seen()).comments);
    expect(comment).toMatchObject({ id, body: marked, author: { id: people.drover.id }, editedAt: null });
    expect(bodiesOf((await world.look(pull)).comments)).toEqual([marked]);
  });

  it("exist twice when they are made twice", async () => {
    const { drover, pull } = scene;
    const first = await drover.createComment({ pull, body: "Same." });
    const second = await drover.createComment({ pull, body: "Same." });
    expect(first).not.toBe(second);
    expect((await scene.seen()).comments.map(({ id }) => id).sort()).toEqual([first, second].sort());
  });

  it("are changed in place, and twice is once", async () => {
    const { drover, pull, ada } = scene;
    const comment = await drover.createComment({ pull, body: "First." });
    await ada.comment(pull, "Between.");
    for (let time = 0; time < 2; time++) {
      await drover.editComment({ pull, comment, body: "Second." });
      const { comments } = await scene.seen();
      expect(bodiesOf(comments)).toEqual(["Between.", "Second."]);
      expect(theOne(comments, "Second.").id).toBe(comment);
    }
  });

  it.each(having(entry, "edit_times"))("say that they were changed", async () => {
    const { drover, pull, world } = scene;
    const comment = await drover.createComment({ pull, body: "First." });
    await world.pass(5 * secondMs);
    await drover.editComment({ pull, comment, body: "Second." });
    const found = only((await scene.seen()).comments);
    expect(found.editedAt).toBeGreaterThan(found.createdAt);
  });

  it("are changed in a thread just as in the conversation", async () => {
    const { drover, pull, rita } = scene;
    await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.added] });
    const thread = only((await scene.seen()).threads);
    const comment = await drover.replyInThread({ pull, thread: thread.id, body: "First." });
    const beside = await drover.createComment({ pull, body: "Beside." });
    await drover.editComment({ pull, comment, body: "Second." });
    const { threads, comments } = await scene.seen();
    expect(only(threads).comments.map(({ body }) => String(body))).toEqual([remarks.added.body, "Second."]);
    expect(only(comments)).toMatchObject({ id: beside, body: "Beside." });
  });

  it("that a person deleted are not found when we change them, and do not come back", async () => {
    const { drover, pull, mia } = scene;
    const comment = await drover.createComment({ pull, body: "First." });
    await mia.deleteComment(pull, comment);
    const edit = drover.editComment({ pull, comment, body: "Second." });
    await expect(edit).rejects.toMatchObject({ name: "ForgeError", kind: "not_found", isApplied: "no" });
    expect((await scene.seen()).comments).toEqual([]);
  });

  it("on a pull that does not exist are not made", async () => {
    const { drover, pull } = scene;
    const made = drover.createComment({ pull: { ...pull, number: 4711 }, body: "Hello?" });
    await expect(made).rejects.toMatchObject({ name: "ForgeError", kind: "not_found", isApplied: "no" });
  });

  it("can still be made on a pull that was merged", async () => {
    const { drover, pull, mia } = scene;
    await mia.merge(pull);
    await drover.createComment({ pull, body: "It landed." });
    expect(bodiesOf((await scene.seen()).comments)).toEqual(["It landed."]);
  });
});

describe.each(worlds)("reactions of ours on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("twice are once, and another kind is another", async () => {
    const { drover, pull, ada, rita, world, people } = scene;
    const comment = await ada.comment(pull, "A command.");
    await rita.comment(pull, "Something else.");
    for (const content of ["eyes", "eyes", "+1", "eyes"] as const) await drover.addReaction({ pull, comment, content });
    const { commentReactions } = await world.look(pull);
    const found = commentReactions.map(({ author, comment: on, content }) => ({ author: author.id, on, content }));
    expect(found.sort((a, b) => a.content.localeCompare(b.content))).toEqual([
      { author: people.drover.id, on: comment, content: "+1" },
      { author: people.drover.id, on: comment, content: "eyes" },
    ]);
  });

  it("find their comment in a thread too", async () => {
    const { drover, pull, rita, ada, world } = scene;
    await rita.review(pull, { event: "comment", body: "One.", remarks: [remarks.added] });
    const thread = only((await scene.seen()).threads);
    await ada.comment(pull, "Beside.");
    const comment = await ada.reply(pull, thread.id, "A question?");
    for (let time = 0; time < 2; time++) await drover.addReaction({ pull, comment, content: "confused" });
    expect(only((await world.look(pull)).commentReactions)).toMatchObject({ comment, content: "confused" });
  });

  it("can be set on the text of a review, and are not taken for others", async () => {
    const { drover, pull, rita, ada, world, people } = scene;
    await ada.comment(pull, "Beside.");
    await rita.review(pull, { event: "comment", body: "A command.", remarks: [remarks.added] });
    const comment = reviewTextId(only((await scene.seen()).reviews).id);
    for (const content of ["+1", "+1", "confused"] as const) await drover.addReaction({ pull, comment, content });
    const { commentReactions, reactions } = await world.look(pull);
    expect(commentReactions.map(({ content }) => content).sort()).toEqual(["+1", "confused"]);
    for (const { author, comment: on } of commentReactions)
      expect([author.id, on]).toEqual([people.drover.id, comment]);
    expect(reactions).toEqual([]);
    const missing = drover.addReaction({ pull, comment: CommentId.parse("review:4711"), content: "eyes" });
    await expect(missing).rejects.toMatchObject({ kind: "not_found", isApplied: "no" });
  });

  it("on a comment that is gone are refused as not found", async () => {
    const { drover, pull, ada, world } = scene;
    const comment = await ada.comment(pull, "A command.");
    await ada.deleteComment(pull, comment);
    for (const missing of [comment, CommentId.parse("4711")]) {
      const added = drover.addReaction({ pull, comment: missing, content: "eyes" });
      await expect(added).rejects.toMatchObject({ name: "ForgeError", kind: "not_found", isApplied: "no" });
    }
    expect((await world.look(pull)).commentReactions).toEqual([]);
  });
});
