import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Reaction } from "#core/model/conversation.ts";
import { secondMs, wholeSecond } from "#core/model/instant.ts";
import { openScene, type Scene } from "./scene.ts";
import { only } from "./seen.ts";
import { worlds } from "./worlds.ts";

const contents: readonly Reaction["content"][] = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];

describe.each(worlds)("reactions on a pull of $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("come in eight kinds, each from everybody once", async () => {
    const { rita, mia, pull, people } = scene;
    for (const content of contents) await rita.react(pull, content);
    await mia.react(pull, "+1");
    const found = (await scene.seen()).reactions.map(({ author, content }) => `${author.id} ${content}`).sort();
    const expected = [...contents.map((content) => `${people.rita.id} ${content}`), `${people.mia.id} +1`];
    expect(found).toEqual(expected.sort());
  });

  it("say when they were given, and go when they are taken back", async () => {
    const { rita, pull, world } = scene;
    await world.pass(90 * secondMs);
    const before = world.now();
    await rita.react(pull, "+1");
    const { createdAt } = only((await scene.seen()).reactions);
    expect(createdAt).toBeGreaterThanOrEqual(wholeSecond(before));
    expect(createdAt).toBeLessThanOrEqual(world.now());
    await rita.unreact(pull, "+1");
    expect((await scene.seen()).reactions).toEqual([]);
  });

  it("given again after they were taken back are as young as that", async () => {
    const { rita, pull, world } = scene;
    await rita.react(pull, "+1");
    await rita.unreact(pull, "+1");
    await world.pass(90 * secondMs);
    const before = world.now();
    await rita.react(pull, "+1");
    expect(only((await scene.seen()).reactions).createdAt).toBeGreaterThanOrEqual(wholeSecond(before));
  });

  it("are not those on its comments", async () => {
    const { ada, drover, pull } = scene;
    const comment = await ada.comment(pull, "A question?");
    await drover.addReaction({ pull, comment, content: "eyes" });
    expect((await scene.seen()).reactions).toEqual([]);
  });

  it("are all there when they fill several pages", async () => {
    const { world, pull, repository } = scene;
    for (let index = 0; index < 101; index++) {
      const account = await world.addAccount({ login: `reader-${index}`, kind: "person" });
      await world.setPermission({ repository, account, permission: "read" });
      await world.as(account).react(pull, "heart");
    }
    const { reactions, limitsReached } = await scene.seen();
    expect(new Set(reactions.map(({ author }) => author.id)).size).toBe(101);
    expect(limitsReached).toEqual([]);
  });
});
