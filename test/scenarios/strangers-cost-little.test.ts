// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { GitError } from "#ports/git.ts";
import type { ModelPurpose } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { diesWhen, type Fate, watchedFate } from "#town/fate.ts";
import { botReviews, botWords, gateOf, managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town, type TownOptions } from "#town/town.ts";
import { type PaidModel, paidModel, paidParts } from "./paid-model.ts";

/** One role for nothing and one for money. Nobody watches for thumbs. */
const rules = {
  approval: { protocols: "reviews" as const },
  reviews: {
    roles: [
      { name: "rules", reviewer: "rules" as const },
      { name: "general", reviewer: "model" as const },
    ],
  },
};

function aModel(takes?: { readonly sleep: Town["clock"]["sleep"]; readonly ms: number }): PaidModel {
  const terms = { name: "dear", callMicroUsd: 50_000, estimateMicroUsd: 100_000 };
  return paidModel(takes === undefined ? terms : { ...terms, takes });
}

function paying(model: PaidModel, over: TownOptions = {}): TownOptions {
  const { reviewer, talker } = paidParts(model);
  return {
    rules,
    parts: ({ reviewers }) => ({ reviewers: { ...reviewers, model: reviewer }, model: talker }),
    ...over,
  };
}

function countOf(model: PaidModel, purpose: ModelPurpose): number {
  return model.asked.filter((one) => one === purpose).length;
}

async function openByOtto(town: Town): Promise<PullRef> {
  const pull = await town.open({ by: town.otto });
  await town.settle();
  return pull;
}

async function pushTimes(town: Town, pull: PullRef, { from, to }: { readonly from: number; readonly to: number }) {
  for (let number = from; number <= to; number++) {
    await town.push(pull, { "src/lexer.ts": `export const words = ${number};\n` }, town.otto);
    await town.settle();
  }
}

async function headsReadBy(town: Town, pull: PullRef, role: string): Promise<number> {
  const stored = await town.dependencies.store.findPull(pullKeyOf(town.dependencies.instance, pull));
  const runs = stored?.records.runs.filter((run) => run.role === role && run.state.kind === "completed") ?? [];
  return new Set(runs.map(({ head }) => head)).size;
}

const usedUp = "3 of 3 paid reviews of a pull by an author without write permission are used up";

describe.each(manners)("on a %s, a stranger who pushes ten times", (manner) => {
  it("has three heads read for money and all of them for nothing, and a maintainer has the last one read", async () => {
    const model = aModel();
    const town = await buildTown({ ...paying(model), manner });
    const pull = await openByOtto(town);
    await pushTimes(town, pull, { from: 1, to: 9 });
    expect(countOf(model, "review_find")).toBe(3);
    expect(await headsReadBy(town, pull, "rules")).toBe(10);
    expect(gateOf(town, pull)).toBe("pending");
    expect(managedComments(town, pull)[0]?.body).toContain(usedUp);
    // What was approved three heads ago is not taken for this one.
    expect(botReviews(town, pull).at(-1)?.state).toBe("commented");
    expect(botWords(town, pull)).toEqual([]);
    await town.as(town.rita).comment(pull, "@drover review");
    await town.pass(3 * minuteMs);
    expect(countOf(model, "review_find")).toBe(4);
    expect(gateOf(town, pull)).toBe("success");
    expect(managedComments(town, pull)[0]?.body).not.toContain(usedUp);
    await pushTimes(town, pull, { from: 10, to: 12 });
    expect(countOf(model, "review_find")).toBe(4);
    expect(gateOf(town, pull)).toBe("pending");
  });

  it("cannot have more by asking, and is told so", async () => {
    const model = aModel();
    const town = await buildTown({ ...paying(model), manner });
    const pull = await openByOtto(town);
    await pushTimes(town, pull, { from: 1, to: 4 });
    await town.as(town.otto).comment(pull, "@drover review");
    await town.pass(3 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
    expect(botWords(town, pull)).toEqual([expect.stringContaining(usedUp)]);
  });

  it("is read as before once they may write", async () => {
    const model = aModel();
    const town = await buildTown({ ...paying(model), manner });
    const pull = await openByOtto(town);
    await pushTimes(town, pull, { from: 1, to: 5 });
    town.sandbox.setPermission({ repository: town.repository, account: town.otto, permission: "write" });
    await town.tick(pull);
    await town.settle();
    expect(countOf(model, "review_find")).toBe(4);
    expect(gateOf(town, pull)).toBe("success");
    await pushTimes(town, pull, { from: 6, to: 8 });
    expect(countOf(model, "review_find")).toBe(7);
  });

  it("has no more of them when the database is lost", async () => {
    const model = aModel();
    const town = await buildTown({ ...paying(model), manner });
    const pull = await openByOtto(town);
    await pushTimes(town, pull, { from: 1, to: 1 });
    await town.loseDatabase();
    await pushTimes(town, pull, { from: 2, to: 4 });
    await town.loseDatabase();
    await pushTimes(town, pull, { from: 5, to: 7 });
    expect(countOf(model, "review_find")).toBe(3);
    expect(gateOf(town, pull)).toBe("pending");
  });
});

/** Time in small steps, for workers that are busy with something long. */
async function passSlowly(town: Town, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * secondMs) await town.pass(5 * secondMs);
}

/** A town whose model takes its time for everything, with so many workers beside the first. */
async function slowTown(options: { readonly workersMore: number; readonly answerMs?: number }) {
  const { workersMore, answerMs = 40 * secondMs } = options;
  let busy = 0;
  const sleep: Town["clock"]["sleep"] = async (ms) => {
    busy++;
    await town.clock.sleep(ms);
    busy--;
  };
  const model = aModel({ sleep, ms: answerMs });
  const fate = (): Fate => ({ ...watchedFate(), isAway: () => busy > 0 });
  const town: Town = await buildTown(paying(model, { fate: fate() }));
  for (let more = 0; more < workersMore; more++) town.hire({}, fate());
  return { town, model };
}

/** A town where nobody can read the code until it is repaired, and nobody takes batches. */
async function townWithoutGit(over: Pick<TownOptions, "rules" | "fate">) {
  const model = aModel();
  const { reviewer } = paidParts(model);
  let isDown = true;
  const town = await buildTown({
    ...over,
    parts: ({ reviewers }) => ({ reviewers: { ...reviewers, model: { ...reviewer, batched: undefined } } }),
    git: (git) => ({
      ...git,
      ensureMirror: async (request) => {
        if (isDown) throw new GitError("unavailable", "the remote does not answer");
        return await git.ensureMirror(request);
      },
    }),
  });
  const repair = (): void => {
    isDown = false;
  };
  return { town, model, repair };
}

describe("a stranger in a hurry", () => {
  it("pays for what is cancelled half-way, whichever of two workers began it", async () => {
    const { town, model } = await slowTown({ workersMore: 2 });
    const pull = await town.open({ by: town.otto });
    await passSlowly(town, 10 * secondMs);
    for (let number = 1; number < 10; number++) {
      await town.push(pull, { "src/lexer.ts": `export const words = ${number};\n` }, town.otto);
      await passSlowly(town, 15 * secondMs);
    }
    await passSlowly(town, 10 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
    expect(gateOf(town, pull)).toBe("pending");
    expect(managedComments(town, pull)[0]?.body).toContain(usedUp);
  });

  it("pays for looks that were cancelled while the model was at it and whose bill nobody has heard of", async () => {
    const { town, model } = await slowTown({ workersMore: 7, answerMs: 2 * hourMs });
    const pull = await town.open({ by: town.otto });
    for (let number = 1; number <= 6; number++) {
      await passSlowly(town, 3 * minuteMs);
      await town.push(pull, { "src/lexer.ts": `export const words = ${number};\n` }, town.otto);
    }
    await passSlowly(town, 5 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
    expect(gateOf(town, pull)).toBe("pending");
  });

  it("pays nothing for looks that were cancelled before anybody was asked, where nobody takes batches either", async () => {
    const { town, model, repair } = await townWithoutGit({ rules });
    const pull = await openByOtto(town);
    await pushTimes(town, pull, { from: 1, to: 5 });
    await town.pass(3 * minuteMs);
    repair();
    await town.pass(5 * minuteMs);
    expect(countOf(model, "review_find")).toBe(1);
    expect(gateOf(town, pull)).toBe("success");
  });

  it("pays nothing for one whose job was taken away by a worker that died then", async () => {
    const fate: Fate = diesWhen(() =>
      fate.crossings.some(({ call, side }) => call === "queue.cancel" && side === "after"),
    );
    const few = { ...rules, reviews: { ...rules.reviews, outsiderReviewsMax: 1 } };
    const { town, model, repair } = await townWithoutGit({ rules: few, fate });
    const pull = await openByOtto(town);
    await pushTimes(town, pull, { from: 1, to: 1 });
    await town.pass(3 * minuteMs);
    expect(fate.isDead()).toBe(true);
    repair();
    await town.pass(5 * minuteMs);
    expect(countOf(model, "review_find")).toBe(1);
    expect(gateOf(town, pull)).toBe("success");
  });

  it("has the same head cancelled and begun anew no more than three times", async () => {
    const { town, model } = await slowTown({ workersMore: 1 });
    const pull = await town.open({ by: town.otto });
    for (let times = 0; times < 6; times++) {
      await passSlowly(town, 15 * secondMs);
      await town.as(town.otto).comment(pull, "@drover cancel");
      await passSlowly(town, 15 * secondMs);
      await town.as(town.otto).comment(pull, "@drover enable-reviews");
    }
    await passSlowly(town, 10 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
  });
});

describe.each(manners)("on a %s, a stranger with many questions", (manner) => {
  it("is answered ten times, told so once, and everything else stays to be seen", async () => {
    const model = aModel();
    const town = await buildTown({ ...paying(model), manner });
    const pull = await openByOtto(town);
    for (let number = 1; number <= 14; number++) {
      await town.as(town.otto).comment(pull, `@drover what is this for, part ${number}?`);
      await town.settle();
    }
    expect([countOf(model, "classify"), countOf(model, "answer")]).toEqual([10, 10]);
    const thanks = botWords(town, pull).filter((words) => words.includes("I answer at most 10 remarks"));
    expect(thanks).toHaveLength(1);
    expect(botWords(town, pull)).toHaveLength(11);
    expect(managedComments(town, pull)[0]?.body).toContain("**Not answered:** 4 remarks");
    await town.loseDatabase();
    await town.as(town.otto).comment(pull, "@drover and this?");
    await town.as(town.rita).comment(pull, "@drover what do you think of it?");
    await town.pass(3 * minuteMs);
    expect(countOf(model, "answer")).toBe(11);
    expect(botWords(town, pull)).toHaveLength(12);
    expect(managedComments(town, pull)[0]?.body).toContain("**Not answered:** 5 remarks");
  });

  it("has those beyond the limit dismissed and not counted as answered, and answered once they may write", async () => {
    const model = aModel();
    const few = { ...rules, conversation: { outsiderAnswersMax: 1 } };
    const town = await buildTown({ ...paying(model, { rules: few }), manner });
    const pull = await openByOtto(town);
    await town.as(town.otto).comment(pull, "@drover what is this for?");
    await town.settle();
    const beyond = await town.as(town.otto).comment(pull, "@drover and that?");
    await town.pass(hourMs);
    const stored = await town.dependencies.store.findPull(pullKeyOf(town.dependencies.instance, pull));
    expect(stored?.records.questions.map(({ comment, status }) => [comment === beyond, status])).toEqual([
      [false, "ANSWERED"],
    ]);
    expect(managedComments(town, pull)[0]?.body).toContain("**Not answered:** 1 remark");
    town.sandbox.setPermission({ repository: town.repository, account: town.otto, permission: "write" });
    await town.tick(pull);
    await town.settle();
    expect(countOf(model, "answer")).toBe(2);
    expect(managedComments(town, pull)[0]?.body).not.toContain("**Not answered:**");
  });
});
