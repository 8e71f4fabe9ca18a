// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { diesWhen, type Fate, watchedFate } from "#harness/fate.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botReviews, botWords, gateOf, managedComments } from "#harness/sights.ts";
import { GitError } from "#ports/git.ts";
import type { ModelPurpose } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
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

function aModel(takes?: { readonly sleep: Harness["clock"]["sleep"]; readonly ms: number }): PaidModel {
  const terms = { name: "dear", callMicroUsd: 50_000, estimateMicroUsd: 100_000 };
  return paidModel(takes === undefined ? terms : { ...terms, takes });
}

function paying(model: PaidModel, over: HarnessOptions = {}): HarnessOptions {
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

async function openByOtto(harness: Harness): Promise<PullRef> {
  const pull = await harness.open({ by: harness.otto });
  await harness.settle();
  return pull;
}

async function pushTimes(
  harness: Harness,
  pull: PullRef,
  { from, to }: { readonly from: number; readonly to: number },
) {
  for (let number = from; number <= to; number++) {
    await harness.push(pull, { "src/lexer.ts": `export const words = ${number};\n` }, harness.otto);
    await harness.settle();
  }
}

async function headsReadBy(harness: Harness, pull: PullRef, role: string): Promise<number> {
  const stored = await harness.dependencies.store.findPull(pullKeyOf(harness.dependencies.instance, pull));
  const runs = stored?.records.runs.filter((run) => run.role === role && run.state.kind === "completed") ?? [];
  return new Set(runs.map(({ head }) => head)).size;
}

const usedUp = "3 of 3 paid reviews of a pull by an author without write permission are used up";

describe.each(manners)("on a %s, a stranger who pushes ten times", (manner) => {
  it("has three heads read for money and all of them for nothing, and a maintainer has the last one read", async () => {
    const model = aModel();
    const harness = await buildHarness({ ...paying(model), manner });
    const pull = await openByOtto(harness);
    await pushTimes(harness, pull, { from: 1, to: 9 });
    expect(countOf(model, "review_find")).toBe(3);
    expect(await headsReadBy(harness, pull, "rules")).toBe(10);
    expect(gateOf(harness, pull)).toBe("pending");
    expect(managedComments(harness, pull)[0]?.body).toContain(usedUp);
    // What was approved three heads ago is not taken for this one.
    expect(botReviews(harness, pull).at(-1)?.state).toBe("commented");
    expect(botWords(harness, pull)).toEqual([]);
    await harness.as(harness.rita).comment(pull, "@drover review");
    await harness.pass(3 * minuteMs);
    expect(countOf(model, "review_find")).toBe(4);
    expect(gateOf(harness, pull)).toBe("success");
    expect(managedComments(harness, pull)[0]?.body).not.toContain(usedUp);
    await pushTimes(harness, pull, { from: 10, to: 12 });
    expect(countOf(model, "review_find")).toBe(4);
    expect(gateOf(harness, pull)).toBe("pending");
  });

  it("cannot have more by asking, and is told so", async () => {
    const model = aModel();
    const harness = await buildHarness({ ...paying(model), manner });
    const pull = await openByOtto(harness);
    await pushTimes(harness, pull, { from: 1, to: 4 });
    await harness.as(harness.otto).comment(pull, "@drover review");
    await harness.pass(3 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining(usedUp)]);
  });

  it("is read as before once they may write", async () => {
    const model = aModel();
    const harness = await buildHarness({ ...paying(model), manner });
    const pull = await openByOtto(harness);
    await pushTimes(harness, pull, { from: 1, to: 5 });
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.otto, permission: "write" });
    await harness.tick(pull);
    await harness.settle();
    expect(countOf(model, "review_find")).toBe(4);
    expect(gateOf(harness, pull)).toBe("success");
    await pushTimes(harness, pull, { from: 6, to: 8 });
    expect(countOf(model, "review_find")).toBe(7);
  });

  it("has no more of them when the database is lost", async () => {
    const model = aModel();
    const harness = await buildHarness({ ...paying(model), manner });
    const pull = await openByOtto(harness);
    await pushTimes(harness, pull, { from: 1, to: 1 });
    await harness.loseDatabase();
    await pushTimes(harness, pull, { from: 2, to: 4 });
    await harness.loseDatabase();
    await pushTimes(harness, pull, { from: 5, to: 7 });
    expect(countOf(model, "review_find")).toBe(3);
    expect(gateOf(harness, pull)).toBe("pending");
  });
});

/** Time in small steps, for workers that are busy with something long. */
async function passSlowly(harness: Harness, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * secondMs) await harness.pass(5 * secondMs);
}

/** A harness whose model takes its time for everything, with so many workers beside the first. */
async function slowHarness(options: { readonly workersMore: number; readonly answerMs?: number }) {
  const { workersMore, answerMs = 40 * secondMs } = options;
  let busy = 0;
  const sleep: Harness["clock"]["sleep"] = async (ms) => {
    busy++;
    await harness.clock.sleep(ms);
    busy--;
  };
  const model = aModel({ sleep, ms: answerMs });
  const fate = (): Fate => ({ ...watchedFate(), isAway: () => busy > 0 });
  const harness: Harness = await buildHarness(paying(model, { fate: fate() }));
  for (let more = 0; more < workersMore; more++) harness.hire({}, fate());
  return { harness, model };
}

/** A harness where nobody can read the code until it is repaired, and nobody takes batches. */
async function harnessWithoutGit(over: Pick<HarnessOptions, "rules" | "fate">) {
  const model = aModel();
  const { reviewer } = paidParts(model);
  let isDown = true;
  const harness = await buildHarness({
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
  return { harness, model, repair };
}

describe("a stranger in a hurry", () => {
  it("pays for what is cancelled half-way, whichever of two workers began it", async () => {
    const { harness, model } = await slowHarness({ workersMore: 2 });
    const pull = await harness.open({ by: harness.otto });
    await passSlowly(harness, 10 * secondMs);
    for (let number = 1; number < 10; number++) {
      await harness.push(pull, { "src/lexer.ts": `export const words = ${number};\n` }, harness.otto);
      await passSlowly(harness, 15 * secondMs);
    }
    await passSlowly(harness, 10 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
    expect(gateOf(harness, pull)).toBe("pending");
    expect(managedComments(harness, pull)[0]?.body).toContain(usedUp);
  });

  it("pays for looks that were cancelled while the model was at it and whose bill nobody has heard of", async () => {
    const { harness, model } = await slowHarness({ workersMore: 7, answerMs: 2 * hourMs });
    const pull = await harness.open({ by: harness.otto });
    for (let number = 1; number <= 6; number++) {
      await passSlowly(harness, 3 * minuteMs);
      await harness.push(pull, { "src/lexer.ts": `export const words = ${number};\n` }, harness.otto);
    }
    await passSlowly(harness, 5 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
    expect(gateOf(harness, pull)).toBe("pending");
  });

  it("pays nothing for looks that were cancelled before anybody was asked, where nobody takes batches either", async () => {
    const { harness, model, repair } = await harnessWithoutGit({ rules });
    const pull = await openByOtto(harness);
    await pushTimes(harness, pull, { from: 1, to: 5 });
    await harness.pass(3 * minuteMs);
    repair();
    await harness.pass(5 * minuteMs);
    expect(countOf(model, "review_find")).toBe(1);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("pays nothing for one whose job was taken away by a worker that died then", async () => {
    const fate: Fate = diesWhen(() =>
      fate.crossings.some(({ call, side }) => call === "queue.cancel" && side === "after"),
    );
    const few = { ...rules, reviews: { ...rules.reviews, outsiderReviewsMax: 1 } };
    const { harness, model, repair } = await harnessWithoutGit({ rules: few, fate });
    const pull = await openByOtto(harness);
    await pushTimes(harness, pull, { from: 1, to: 1 });
    await harness.pass(3 * minuteMs);
    expect(fate.isDead()).toBe(true);
    repair();
    await harness.pass(5 * minuteMs);
    expect(countOf(model, "review_find")).toBe(1);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("has the same head cancelled and begun anew no more than three times", async () => {
    const { harness, model } = await slowHarness({ workersMore: 1 });
    const pull = await harness.open({ by: harness.otto });
    for (let times = 0; times < 6; times++) {
      await passSlowly(harness, 15 * secondMs);
      await harness.as(harness.otto).comment(pull, "@drover cancel");
      await passSlowly(harness, 15 * secondMs);
      await harness.as(harness.otto).comment(pull, "@drover enable-reviews");
    }
    await passSlowly(harness, 10 * minuteMs);
    expect(countOf(model, "review_find")).toBe(3);
  });
});

describe.each(manners)("on a %s, a stranger with many questions", (manner) => {
  it("is answered ten times, told so once, and everything else stays to be seen", async () => {
    const model = aModel();
    const harness = await buildHarness({ ...paying(model), manner });
    const pull = await openByOtto(harness);
    for (let number = 1; number <= 14; number++) {
      await harness.as(harness.otto).comment(pull, `@drover what is this for, part ${number}?`);
      await harness.settle();
    }
    expect([countOf(model, "classify"), countOf(model, "answer")]).toEqual([10, 10]);
    const thanks = botWords(harness, pull).filter((words) => words.includes("I answer at most 10 remarks"));
    expect(thanks).toHaveLength(1);
    expect(botWords(harness, pull)).toHaveLength(11);
    expect(managedComments(harness, pull)[0]?.body).toContain("**Not answered:** 4 remarks");
    await harness.loseDatabase();
    await harness.as(harness.otto).comment(pull, "@drover and this?");
    await harness.as(harness.rita).comment(pull, "@drover what do you think of it?");
    await harness.pass(3 * minuteMs);
    expect(countOf(model, "answer")).toBe(11);
    expect(botWords(harness, pull)).toHaveLength(12);
    expect(managedComments(harness, pull)[0]?.body).toContain("**Not answered:** 5 remarks");
  });

  it("has those beyond the limit dismissed and not counted as answered, and answered once they may write", async () => {
    const model = aModel();
    const few = { ...rules, conversation: { outsiderAnswersMax: 1 } };
    const harness = await buildHarness({ ...paying(model, { rules: few }), manner });
    const pull = await openByOtto(harness);
    await harness.as(harness.otto).comment(pull, "@drover what is this for?");
    await harness.settle();
    const beyond = await harness.as(harness.otto).comment(pull, "@drover and that?");
    await harness.pass(hourMs);
    const stored = await harness.dependencies.store.findPull(pullKeyOf(harness.dependencies.instance, pull));
    expect(stored?.records.questions.map(({ comment, status }) => [comment === beyond, status])).toEqual([
      [false, "ANSWERED"],
    ]);
    expect(managedComments(harness, pull)[0]?.body).toContain("**Not answered:** 1 remark");
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.otto, permission: "write" });
    await harness.tick(pull);
    await harness.settle();
    expect(countOf(model, "answer")).toBe(2);
    expect(managedComments(harness, pull)[0]?.body).not.toContain("**Not answered:**");
  });
});
