import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { ForgeError } from "#ports/forge.ts";
import { anyStep, live, type Remembered, remember } from "./life.ts";
import { findBranch, openScene, pushMore, remarks, type Scene } from "./scene.ts";
import { bodiesOf, only, type Seen } from "./seen.ts";
import type { ForgeWorld } from "./world.ts";
import { having } from "./world.ts";
import { worlds, worldsWith } from "./worlds.ts";

function readsAreLate(world: ForgeWorld, ms: () => number): void {
  world.meddle(({ isWrite }) => (isWrite ? null : { kind: "stale", ms: ms() }));
}

/** Everything that can happen within a minute. */
async function changeEverything(scene: Scene): Promise<void> {
  const { rita, mia, ada, pull, repository, drover, world } = scene;
  const [first] = (await world.look(pull)).comments;
  if (first === undefined) throw new Error("no comment");
  await ada.editComment(pull, first.id, "Edited.");
  await world.pass(secondMs);
  await rita.comment(pull, "Later.");
  await rita.unreact(pull, "eyes");
  await mia.react(pull, "+1");
  await mia.review(pull, { event: "approve", body: "Good.", remarks: [remarks.range] });
  await ada.resolveThread(pull, only((await world.look(pull)).threads.filter(({ line }) => line === 10)).id);
  await ada.editPull(pull, { title: "Later", body: "Later.", labels: ["late"], isDraft: true });
  await rita.report({ repository, commit: scene.head, name: "build", state: "passed" });
  await rita.report({ repository, commit: scene.head, name: "lint", state: "passed" });
  await drover.setGate({ pull, head: scene.head, state: "success", words: "Later." });
  await drover.requestReviews({ pull, reviewers: [scene.people.otto] });
  const head = await pushMore(scene);
  await rita.report({ repository, commit: head, name: "build", state: "failed" });
  await drover.setGate({ pull, head, state: "failure", words: "Later." });
  await drover.createComment({ pull, body: "Of the bot." });
}

/** What may be seen of a life when each answer is late by up to `lagMs`, however they are mixed. */
function expectPossible(seen: Seen, past: Remembered, old: readonly string[]): void {
  expect(past.heads).toContain(seen.pull.head.sha);
  expect(past.titles).toContain(seen.pull.title);
  const texts = [...seen.comments, ...seen.reviews, ...seen.threads.flatMap(({ comments }) => comments)];
  expect(bodiesOf(texts).filter((body) => !past.texts.has(body))).toEqual([]);
  expect(seen.checks.every(({ head }) => head === seen.pull.head.sha)).toBe(true);
  const ids = new Set([...seen.comments, ...seen.reviews].map(({ id }) => String(id)));
  expect(old.filter((id) => !ids.has(id))).toEqual([]);
}

describe.each(worlds)("a late read on $name", (entry) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(entry);
    const { rita, ada, pull, repository, head, world } = scene;
    await ada.comment(pull, "First.");
    await rita.review(pull, { event: "request_changes", body: "Hm.", remarks: [remarks.added] });
    await rita.react(pull, "eyes");
    await rita.report({ repository, commit: head, name: "build", state: "pending" });
    await world.pass(2 * secondMs);
  });
  afterEach(() => scene.world.close());

  it.each(having(entry, "late_reads"))("shows the pull as it was, in every part", async () => {
    const { world } = scene;
    const then = world.now();
    const { observedAt: _, ...before } = await scene.seen();
    await world.pass(2 * secondMs);
    await changeEverything(scene);
    await world.pass(50 * secondMs);
    readsAreLate(world, () => world.now() - then);
    const { observedAt: __, ...late } = await scene.seen();
    expect(late).toEqual(before);
    world.meddle(() => null);
    const { observedAt: ___, ...now } = await scene.seen();
    expect(now).not.toEqual(before);
    expect(late.changedAt).toBeLessThan(now.changedAt);
  });

  it("does not change by itself what was shown before", async () => {
    const told = await scene.drover.fetchPull(scene.pull);
    const copy: unknown = JSON.parse(JSON.stringify(told));
    await changeEverything(scene);
    expect(told).toEqual(copy);
  });

  it.each(having(entry, "late_reads"))("shows the open pulls as they were", async () => {
    const { world, drover, repository } = scene;
    const then = world.now();
    const before = await drover.fetchOpenPulls(repository);
    await world.pass(2 * secondMs);
    await changeEverything(scene);
    readsAreLate(world, () => world.now() - then);
    expect(await drover.fetchOpenPulls(repository)).toEqual(before);
  });

  it.each(having(entry, "late_reads"))("does not show what is still to be opened", async () => {
    const { world, drover, pull } = scene;
    await world.pass(minuteMs);
    readsAreLate(world, () => 60 * minuteMs);
    const early: unknown = await drover.fetchPull(pull).catch((cause: unknown) => cause);
    expect(early).toMatchObject({ name: "ForgeError", kind: "not_found" });
  });

  it.each(having(entry, "late_reads"))("does not keep a write from what is there now", async () => {
    const { world, drover, pull, head } = scene;
    await world.pass(minuteMs);
    const second = await pushMore(scene);
    const comment = await drover.createComment({ pull, body: "Before." });
    await world.settle(pull);
    readsAreLate(world, () => minuteMs);
    await drover.editComment({ pull, comment, body: "After." });
    await drover.createComment({ pull, body: "More." });
    expect(await drover.merge({ pull, head })).toEqual({ kind: "head_moved" });
    // A forge that answers a merge without the commit is asked for it, and a late answer knows of no merge.
    const merged = drover.merge({ pull, head: second }).then(
      ({ kind }): string => kind,
      (cause: unknown) => (cause instanceof ForgeError ? cause.isApplied : "no ForgeError"),
    );
    expect(["merged", "unknown"]).toContain(await merged);
    world.meddle(() => null);
    expect(bodiesOf((await scene.seen()).comments)).toEqual(["After.", "First.", "More."]);
    expect(await findBranch(scene, "main")).toBe((await world.look(pull)).merged?.commit);
  });

  it.each(having(entry, "late_reads"))("of one part does not make the pull seem gone", async () => {
    const { world, drover, pull, rita, ada, people } = scene;
    await world.pass(minuteMs);
    await rita.review(pull, { event: "comment", body: "New.", remarks: [remarks.range] });
    const thread = only((await world.look(pull)).threads.filter(({ path }) => path === remarks.range.path));
    for (let index = 0; index < 120; index++) await ada.reply(pull, thread.id, `Reply ${index}.`);
    for (let first = 0, requests = 2; first < requests; first++) {
      let asked = 0;
      world.meddle(({ account }) => {
        asked += Number(account.id === people.drover.id);
        return asked > first ? { kind: "stale", ms: 30 * secondMs } : null;
      });
      const kind = await kindOf(drover.fetchPull(pull));
      expect({ first, kind }).not.toEqual({ first, kind: "not_found" });
      requests = asked;
    }
  });
});

async function kindOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "success",
    (cause: unknown) => (cause instanceof ForgeError ? cause.kind : "no ForgeError"),
  );
}

describe.each(worldsWith("late_reads"))("late reads of different ages on $name", (entry) => {
  it("show nothing that never was, and lose nothing old", async () => {
    const steps = fc.array(anyStep, { minLength: 5, maxLength: 25 });
    const lags = fc.array(fc.nat({ max: minuteMs }), { minLength: 1, maxLength: 12 });
    const lives = fc.asyncProperty(steps, steps, lags, async (early, late, ages) => {
      const scene = await openScene(entry);
      const past = remember(scene);
      for (const [index, step] of early.entries()) await live(scene, past, step, index);
      const deletes = late.some(({ kind }) => kind === "delete_comment");
      const old = [...(deletes ? [] : past.comments.keys()), ...past.reviews.keys()];
      await scene.world.pass(minuteMs + secondMs);
      for (const [index, step] of late.entries()) await live(scene, past, step, 100 + index);
      let asked = 0;
      readsAreLate(scene.world, () => ages[asked++ % ages.length] ?? 0);
      expectPossible(await scene.seen(), past, old);
      await scene.world.close();
    });
    await expect(fc.check(lives, { numRuns: 40 })).resolves.toMatchObject({ failed: false });
  });
});
