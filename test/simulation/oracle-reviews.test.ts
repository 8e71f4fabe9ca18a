import { expect, it } from "vitest";
import { CommentId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { sha } from "#testing/makers.ts";
import { buildWorld, openPulls } from "./build-world.ts";
import { factProblem, isUsedUp } from "./oracle-reviews.ts";
import type { Fact } from "./truth.ts";
import { addFact, isWriter, type World } from "./world.ts";

const role = "general";

/** One pull, a role that costs money, and reviews on for everybody. */
async function findWorld(isByWriter: boolean): Promise<World> {
  for (let seed = 1; ; seed++) {
    const { world } = await buildWorld({ seed, off: new Set(), isTracing: false, target: null, scene: null });
    await openPulls(world);
    const [first] = world.installations;
    const isUsual = first?.rules.reviews.automatic === "enabled" && first.rules.reviews.roles.length === 1;
    const isPlain = world.pulls.length === 1 && !world.facts.some(({ kind }) => kind === "marked");
    if (isUsual && isPlain && isWriter(world, world.cast.ada.id) === isByWriter) return world;
  }
}

/** A new head of the pull, which the role begins to read. */
function readNext(world: World, number: number, isFree = false): string | null {
  const [pull] = world.pulls;
  const [installation] = world.installations;
  if (pull === undefined || installation === undefined) throw new Error("an empty world");
  const head = sha(number);
  addFact(world, { kind: "head", pull: pull.number, head, base: "main" });
  const priced = { installation: installation.name, role, head, base: "main" };
  const look = { ...priced, phase: "begun" as const, isFree };
  addFact(world, { kind: "priced", pull: pull.number, priced });
  addFact(world, { kind: "read", pull: pull.number, look });
  const read: Fact = { kind: "read", at: instant(world.scheduler.now()), pull: pull.number, look };
  return factProblem(world, read);
}

it("a fourth head of a stranger's that is read for money is too much, and of a writer's it is not", async () => {
  const strangers = await findWorld(false);
  const problems = [1, 2, 3, 4].map((number) => readNext(strangers, number));
  expect(problems).toEqual([null, null, null, expect.stringContaining("pays for too much of a stranger")]);
  const writers = await findWorld(true);
  expect([1, 2, 3, 4].map((number) => readNext(writers, number))).toEqual([null, null, null, null]);
});

it("heads that were read while the role cost nothing are not too much of a stranger", async () => {
  const world = await findWorld(false);
  for (const number of [1, 2, 3]) readNext(world, number, true);
  expect([4, 5, 6, 7].map((number) => readNext(world, number))).toEqual([
    null,
    null,
    null,
    expect.stringContaining("pays for too much of a stranger"),
  ]);
});

it("what a stranger's pull gets is used up by what was asked for, and not by pushing alone", async () => {
  const world = await findWorld(false);
  const [installation] = world.installations;
  const [pull] = world.pulls;
  if (installation === undefined || pull === undefined) throw new Error("an empty world");
  const isUsed = (): boolean => isUsedUp(world, installation, { pull: pull.number, role });
  for (const number of [1, 2]) readNext(world, number);
  for (const number of [5, 6, 7]) addFact(world, { kind: "head", pull: pull.number, head: sha(number), base: "main" });
  expect(isUsed()).toBe(false);
  readNext(world, 3);
  expect(isUsed()).toBe(true);
  expect(isUsedUp(await findWorld(true), installation, { pull: pull.number, role })).toBe(false);
});

it("a review that nobody wants is excused by a sentence only where the model is evil and whoever said it may talk with Drover", async () => {
  const world = await findWorld(true);
  const [installation] = world.installations;
  const [pull] = world.pulls;
  if (installation === undefined || pull === undefined) throw new Error("an empty world");
  const { rules, name } = installation;
  installation.rules = { ...rules, reviews: { ...rules.reviews, automatic: "disabled" } };
  const say = (isPermitted: boolean, to: string): void => {
    const saying = { comment: CommentId.parse("1"), installation: to, isPermitted };
    addFact(world, { kind: "addressed", pull: pull.number, saying });
  };
  const unwanted = expect.stringContaining("that nobody wants");
  installation.modelMood = "evil";
  say(false, name);
  say(true, "another");
  expect(readNext(world, 1)).toEqual(unwanted);
  say(true, name);
  expect(readNext(world, 2)).toBeNull();
  installation.modelMood = "good";
  expect(readNext(world, 3)).toEqual(unwanted);
});

it("a look that another run of a CI is still at is paid for twice", async () => {
  const world = await findWorld(true);
  const [pull] = world.pulls;
  const [installation] = world.installations;
  if (pull === undefined || installation === undefined) throw new Error("an empty world");
  const at = world.scheduler.now();
  const first = { life: { isOver: false }, startedAt: at };
  const second = { life: { isOver: false }, startedAt: at };
  const begun = { installation: installation.name, role, head: sha(1), base: "main", phase: "begun" as const };
  const beginsSecond = (): string | null =>
    factProblem(world, { kind: "read", at, pull: pull.number, look: { ...begun, run: second } });
  addFact(world, { kind: "head", pull: pull.number, head: sha(1), base: "main" });
  expect(beginsSecond()).toBeNull();
  addFact(world, { kind: "read", pull: pull.number, look: { ...begun, run: first } });
  expect(beginsSecond()).toContain("pay for one look at the same time");
  first.life.isOver = true;
  expect(beginsSecond()).toBeNull();
  first.life.isOver = false;
  addFact(world, { kind: "read", pull: pull.number, look: { ...begun, phase: "whole", run: first } });
  expect(beginsSecond()).toBeNull();
});
