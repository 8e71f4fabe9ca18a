import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Reaction } from "#core/model/conversation.ts";
import { secondMs, wholeSecond } from "#core/model/instant.ts";
import { type ClaimOutcome, claimSigns } from "#ports/forge.ts";
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

describe.each(worlds)("a claim on a pull of $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("is made once, and held until it is released", async () => {
    const { drover, pull, world } = scene;
    const first = await drover.claimPull({ pull, sign: "rocket" });
    expect(first.kind).toBe("claimed");
    const claimedAt = world.now();
    await world.pass(90 * secondMs);
    // Of real servers time does not pass by itself; there the age is not too great, and that is all that can be said.
    const ageMsMin = Math.max(0, world.now() - claimedAt - 60 * secondMs);
    const second = await drover.claimPull({ pull, sign: "rocket" });
    expect(second).toMatchObject({ kind: "held", claim: first.claim });
    expect(second.ageMs).toBeGreaterThanOrEqual(ageMsMin);
    for (let time = 0; time < 2; time++) await drover.releasePull({ pull, claim: first.claim, sign: "rocket" });
    expect((await drover.claimPull({ pull, sign: "rocket" })).kind).toBe("claimed");
  });

  it("goes to one of many who ask for it at once", async () => {
    const { drover, pull } = scene;
    const ask = async (): Promise<ClaimOutcome> => await drover.claimPull({ pull, sign: "rocket" });
    const asked = await Promise.all(Array.from({ length: 5 }, ask));
    expect(asked.filter(({ kind }) => kind === "claimed")).toHaveLength(1);
  });

  it("may be one of two signs, which know nothing of each other", async () => {
    const { drover, pull } = scene;
    const claims: string[] = [];
    for (const sign of claimSigns) {
      const { kind, claim } = await drover.claimPull({ pull, sign });
      expect(kind).toBe("claimed");
      claims.push(claim);
    }
    await drover.releasePull({ pull, claim: claims[0] ?? "", sign: "rocket" });
    expect((await drover.claimPull({ pull, sign: "hooray" })).kind).toBe("held");
    expect((await drover.claimPull({ pull, sign: "rocket" })).kind).toBe("claimed");
  });

  it("is not made by what others think of the pull", async () => {
    const { drover, pull, rita, people } = scene;
    await rita.react(pull, "rocket");
    const { kind, claim } = await drover.claimPull({ pull, sign: "rocket" });
    expect(kind).toBe("claimed");
    await drover.releasePull({ pull, claim, sign: "rocket" });
    expect(only((await scene.seen()).reactions).author.id).toBe(people.rita.id);
  });
});
