import { expect, it } from "vitest";
import type { ReviewRun } from "#core/model/records.ts";
import { asConfigured } from "#core/review/offer-terms.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";
import { aCompletedReview, aReviewer, onlyModel } from "#testing/review-makers.ts";
import { type JobWorld, openJobWorld } from "./job-world.ts";

const offers: NonNullable<Reviewer["offers"]> = async () => [{ terms: asConfigured, costMicroUsd: 5, delivery: "now" }];

/** Ada may only read, and her pull is reviewed for money. */
async function openStrangersWorld(onLook: () => void): Promise<JobWorld> {
  const { batched } = modelReviewer({ modelOf: () => null, cheaperThan: () => null });
  const look = () => {
    onLook();
    return aCompletedReview({ costMicroUsd: 5 });
  };
  const reviewer = aReviewer(look, { batched, offers });
  const world = await openJobWorld({
    rules: { reviews: { roles: [{ name: "general", reviewer: "model" }] } },
    dependencies: { reviewers: onlyModel(reviewer) },
  });
  const { sandbox, repository, people } = world;
  sandbox.setPermission({ repository, account: people.ada, permission: "read" });
  await world.tick();
  return world;
}

async function pushTimes(world: JobWorld, times: number): Promise<void> {
  for (let number = 1; number <= times; number++) {
    await world.push({ "src/app.js": `run(${number});\n` });
    await world.tick();
  }
}

async function runsOf(world: JobWorld): Promise<readonly ReviewRun[]> {
  return (await world.records()).runs;
}

it("what was cancelled before anybody was asked is not counted as soon as that is known", async () => {
  let looks = 0;
  const world = await openStrangersWorld(() => looks++);
  await pushTimes(world, 4);
  // Three of them were begun, and nobody has had a look at the queue.
  expect((await runsOf(world)).map(({ state }) => state.kind)).toEqual(["cancelled", "cancelled", "cancelled"]);
  await world.clock.advance(2 * world.dependencies.durations.leaseMs);
  while ((await world.job("review")) !== undefined) {
    // Each run that nobody wants any more is seen to.
  }
  expect((await runsOf(world)).map(({ droppedMicroUsd }) => droppedMicroUsd)).toEqual([0, 0, 0]);
  expect(looks).toBe(0);
  await world.tick();
  expect(await world.job("review")).toEqual({ kind: "finished" });
  expect((await runsOf(world)).at(-1)?.state.kind).toBe("completed");
  expect(looks).toBe(1);
});

it("a look that nobody began, because the forge showed its head too late, costs the author nothing", async () => {
  let looks = 0;
  const world = await openStrangersWorld(() => looks++);
  await world.push({ "src/app.js": "run(1);\n" });
  for (let attempt = 1; attempt < 20; attempt++) {
    const end = await world.job("review");
    if (end === undefined || end.kind === "finished") break;
    await world.clock.advance(10 * 60_000);
  }
  expect(looks).toBe(0);
  expect((await runsOf(world)).map(({ state, droppedMicroUsd }) => [state.kind, droppedMicroUsd])).toEqual([
    ["interrupted", 0],
  ]);
});

it("a job of a pull of which nothing is known any more ends", async () => {
  let looks = 0;
  const world = await openStrangersWorld(() => looks++);
  const forgetful = { ...world.dependencies, store: { ...world.dependencies.store, findPull: async () => undefined } };
  expect(await world.job("review", { dependencies: forgetful })).toEqual({ kind: "finished" });
  expect(looks).toBe(0);
});
