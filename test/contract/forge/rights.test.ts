import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeadSha, ReviewId } from "#core/model/ids.ts";
import { ForgeError } from "#ports/forge.ts";
import { openScene, type Scene } from "./scene.ts";
import { having } from "./world.ts";
import { worlds } from "./worlds.ts";

/** How a call was refused, where it certainly changed nothing. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const outcome: unknown = await call.catch((cause: unknown) => cause);
  if (!(outcome instanceof ForgeError)) return "not refused";
  return outcome.isApplied === "no" ? outcome.kind : "perhaps applied";
}

describe.each(worlds)("what may not be done on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
  });
  afterEach(() => scene.world.close());

  it("is refused to those who may only read, and changes nothing", async () => {
    const { world, people, pull, head, ada } = scene;
    const comment = await ada.comment(pull, "Of ada.");
    const reader = world.clientOf(people.otto);
    const calls = [
      reader.setGate({ pull, head, state: "success", words: "All good." }),
      ...having(entry, "requests_by_writers").map(() => reader.requestReviews({ pull, reviewers: [people.rita] })),
      reader.editComment({ pull, comment, body: "Of otto." }),
      reader.merge({ pull, head }),
    ];
    for (const kind of await Promise.all(calls.map(refusalOf))) expect(["forbidden", "not_found"]).toContain(kind);
    const truth = await world.look(pull);
    expect([truth.gates, truth.pull.requestedReviewers, truth.merged]).toEqual([[], [], null]);
    expect(truth.comments.map(({ body }) => String(body))).toEqual(["Of ada."]);
  });

  it("is refused to everybody where there is nothing to do it to", async () => {
    const { drover, pull, world } = scene;
    const nowhere = HeadSha.parse("1".repeat(40));
    const gate = await refusalOf(drover.setGate({ pull, head: nowhere, state: "success", words: "Good." }));
    expect(["not_found", "refused"]).toContain(gate);
    expect((await world.look(pull)).gates).toEqual([]);
    const missing = { ...pull, number: 4711 };
    const look = { head: scene.head, event: "approve", body: "Good.", remarks: [] } as const;
    expect(await refusalOf(drover.submitReview({ pull: missing, ...look }))).toBe("not_found");
    expect(await refusalOf(drover.merge({ pull: missing, head: scene.head }))).toBe("not_found");
    expect(await refusalOf(drover.requestReviews({ pull: missing, reviewers: [scene.people.rita] }))).toBe("not_found");
  });

  it.each(having(entry, "mayEditReviewBodies"))("is refused for a review that does not exist", async () => {
    const { drover, pull } = scene;
    const review = ReviewId.parse("4711");
    expect(await refusalOf(drover.editReview({ pull, review, body: "Hello?" }))).toBe("not_found");
  });

  it.each(having(entry, "mayDismissReviews"))("is refused for a verdict that does not exist", async () => {
    const { drover, pull, world, repository, people } = scene;
    await world.setPermission({ repository, account: people.drover, permission: "admin" });
    const review = ReviewId.parse("4711");
    expect(await refusalOf(drover.dismissReview({ pull, review, words: "Hello?" }))).toBe("not_found");
  });
});
