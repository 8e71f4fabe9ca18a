import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MergeOutcome } from "#ports/forge.ts";
import { findBranch, openScene, pushMore, remarks, type Scene } from "./scene.ts";
import { bodiesOf, type Seen } from "./seen.ts";
import { having, lacking } from "./world.ts";
import { worlds } from "./worlds.ts";

const numbers = Array.from({ length: 20 }, (_, index) => index);

async function kindOf(merge: Promise<MergeOutcome>): Promise<string> {
  return merge.then(
    ({ kind }) => kind,
    () => "failed",
  );
}

describe.each(worlds)("at the same time on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("many writes all happen, each once", async () => {
    const { drover, ada, rita, pull, head, world, people } = scene;
    const other = world.clientOf(people.rita);
    const comment = await ada.comment(pull, "A command.");
    const ids = await Promise.all(numbers.map((number) => drover.createComment({ pull, body: `Ours ${number}.` })));
    await Promise.all([
      ...numbers.map((number) => ada.comment(pull, `Theirs ${number}.`)),
      ...numbers.map((number) => other.createComment({ pull, body: `Others ${number}.` })),
      ...numbers.map(() => drover.addReaction({ pull, comment, content: "eyes" })),
      ...numbers.map((number) => drover.editComment({ pull, comment: ids[number] ?? comment, body: `Now ${number}.` })),
      drover.submitReview({ pull, head, event: "comment", body: "A look.", remarks: [remarks.added, remarks.range] }),
      rita.review(pull, { event: "approve", body: "Good.", remarks: [remarks.added] }),
    ]);
    const { comments, reviews, threads } = await scene.seen();
    const texts = ["Theirs", "Others", "Now"].flatMap((who) => numbers.map((number) => `${who} ${number}.`));
    expect(bodiesOf(comments)).toEqual(["A command.", ...texts].sort());
    expect(bodiesOf(reviews)).toEqual(["A look.", "Good."]);
    expect(bodiesOf(threads.flatMap((thread) => thread.comments))).toEqual(
      [remarks.added.body, remarks.added.body, remarks.range.body].sort(),
    );
    expect((await world.look(pull)).commentReactions).toHaveLength(1);
  });

  it("several merges are one", async () => {
    const { drover, pull, head, world, people, mia } = scene;
    const before = await findBranch(scene, "main");
    const kinds = await Promise.all([
      kindOf(drover.merge({ pull, head })),
      kindOf(world.clientOf(people.rita).merge({ pull, head })),
      mia.merge(pull).then(
        () => "merged",
        () => "failed",
      ),
    ]);
    const { merged } = await world.look(pull);
    expect(kinds.filter((kind) => kind === "merged").length).toBeGreaterThan(0);
    const landed = await findBranch(scene, "main");
    expect([landed, landed === before]).toEqual([merged?.commit, false]);
  });

  it("a push and a merge never land what was not named", async () => {
    const { drover, pull, head, world } = scene;
    const [outcome] = await Promise.all([kindOf(drover.merge({ pull, head })), pushMore(scene)]);
    const { merged } = await world.look(pull);
    expect(merged?.head ?? head).toBe(head);
    expect(outcome === "merged").toBe(merged !== null);
    const landed = await findBranch(scene, "main");
    const mirror = await world.git.findMirror("tools");
    if (landed === undefined || mirror === undefined) throw new Error("the base branch is gone");
    const file = await mirror.readFile({ commit: landed, path: "src/more.txt", bytesMax: 100 });
    expect(file.kind).toBe("absent");
  });

  it.each(having(entry, "steady_pages"))("a deletion and a look lose nothing that stays", async () => {
    const { seen, texts } = await lookWhileSomebodyDeletes();
    expect(staying(seen)).toEqual(texts);
  });

  it.each(lacking(entry, "steady_pages"))(
    "a deletion and a look make nothing up, and the next look is whole",
    async () => {
      const { seen, texts } = await lookWhileSomebodyDeletes();
      expect(staying(seen).filter((text) => !texts.includes(text))).toEqual([]);
      expect(staying(await scene.seen())).toEqual(texts);
    },
  );

  /** With each request of the look somebody deletes one of the oldest comments. */
  async function lookWhileSomebodyDeletes(): Promise<{ readonly seen: Seen; readonly texts: readonly string[] }> {
    const { ada, pull, world, people } = scene;
    for (const number of [...numbers, ...numbers]) await ada.comment(pull, `Old ${number}.`);
    const gone = (await world.look(pull)).comments.map(({ id }) => id);
    const texts = Array.from({ length: 120 }, (_, index) => `Stays ${String(index).padStart(3, "0")}.`);
    for (const text of texts) await ada.comment(pull, text);
    const deletions: Promise<void>[] = [];
    world.meddle(({ account }) => {
      const comment = gone.shift();
      if (account.id === people.drover.id && comment !== undefined) deletions.push(ada.deleteComment(pull, comment));
      return null;
    });
    const seen = await scene.seen();
    world.meddle(() => null);
    await Promise.all(deletions);
    return { seen, texts };
  }
});

function staying({ comments }: Seen): readonly string[] {
  return bodiesOf(comments).filter((body) => body.startsWith("Stays"));
}
