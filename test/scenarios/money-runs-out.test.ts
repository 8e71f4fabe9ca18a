// @module-tag crash

import { describe, expect, it } from "vitest";
import { Budgets } from "#core/budget/budgets.ts";
import { readSentinel } from "#core/effects/sentinel.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { dieAtEveryBoundary } from "#harness/every-boundary.ts";
import { busyWhile } from "#harness/fate.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botComments, botReviews, botWords, gateOf } from "#harness/sights.ts";
import type { Model } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { type PaidModel, paidModel, paidParts } from "./paid-model.ts";

const cent = 10_000;
/** Nobody watches for thumbs, so that nothing makes Drover look again but what it asks for itself. */
const byModel = {
  approval: { protocols: "reviews" as const },
  reviews: { roles: [{ name: "general", reviewer: "model" as const }], outsiderReviewsMax: 100 },
};

/** A harness whose operator pays for models, up to a point. */
function paying(budgets: Partial<Budgets>, usual: Model, cheap: Model | null = null): HarnessOptions {
  const { reviewer, talker } = paidParts(usual, cheap);
  return {
    rules: byModel,
    parts: ({ reviewers }) => ({
      reviewers: { ...reviewers, model: reviewer },
      model: talker,
      budgets: () => Budgets.parse(budgets),
    }),
  };
}

/** Ada opens one pull after the other, each on a branch of its own. */
async function openPull(harness: Harness, number: number): Promise<PullRef> {
  const pull = await harness.open({ branch: `work-${number}`, files: { [`src/file-${number}.ts`]: "export {};\n" } });
  await harness.settle();
  return pull;
}

function reviewsOf(harness: Harness, pull: PullRef): readonly string[] {
  return botReviews(harness, pull).map(({ body }) => body);
}

async function recordsOf(harness: Harness, pull: PullRef) {
  const stored = await harness.dependencies.store.findPull(pullKeyOf(harness.dependencies.instance, pull));
  if (stored === undefined) throw new Error("nothing is known of the pull");
  return stored.records;
}

function managed(harness: Harness, pull: PullRef): string {
  return botComments(harness, pull).find(({ body }) => readSentinel(body)?.kind === "managed")?.body ?? "";
}

describe("a budget for the day", () => {
  it("lets no third pull be reviewed when two have used it up, says so, and lets it be tomorrow", async () => {
    const model = paidModel({ name: "dear", callMicroUsd: 20 * cent, estimateMicroUsd: 45 * cent });
    const harness = await buildHarness(paying({ repositoryDayUsd: 1 }, model));
    const pulls = [await openPull(harness, 1), await openPull(harness, 2), await openPull(harness, 3)] as const;
    expect(model.asked).toHaveLength(4);
    const [first, , third] = pulls;
    expect(gateOf(harness, first)).toBe("success");
    expect(gateOf(harness, third)).not.toBe("success");
    const [said = ""] = reviewsOf(harness, third);
    expect(said).toContain("The budget of this repository for today is $1.00, of which $0.20 is left");
    expect(said).toContain("about $0.45 would be needed");
    expect(said).toContain("src/file-3.ts");
    expect(botReviews(harness, third).map(({ state }) => state)).toEqual(["commented"]);
    expect(managed(harness, third)).toContain(
      "**Budget:** `general`: The budget of this repository for today is $1.00",
    );
    // Nothing of it is tried again by itself: only somebody who wants it asks for it.
    await harness.pass(16 * hourMs);
    expect(model.asked).toHaveLength(4);
    await harness.as(harness.rita).comment(third, "@drover review");
    await harness.settle();
    expect(model.asked).toHaveLength(6);
    expect(gateOf(harness, third)).toBe("success");
    expect(managed(harness, third)).not.toContain("**Budget:**");
    expect((await recordsOf(harness, third)).spentMicroUsd).toBe(40 * cent);
  });

  it("is kept by two workers who begin at the same moment", async () => {
    let busy = 0;
    const sleep = async (ms: number): Promise<void> => {
      busy++;
      await harness.clock.sleep(ms);
      busy--;
    };
    const takes = { sleep, ms: 20 * secondMs };
    const model = paidModel({ name: "dear", callMicroUsd: 20 * cent, estimateMicroUsd: 45 * cent, takes });
    const harness: Harness = await buildHarness(paying({ repositoryDayUsd: 0.8 }, model));
    harness.dismissAll();
    for (const _ of [1, 2])
      harness.hire(
        {},
        busyWhile(() => busy > 0),
      );
    const pulls = [];
    for (const number of [1, 2]) {
      const files = { [`src/file-${number}.ts`]: "export {};\n" };
      pulls.push(await harness.open({ branch: `work-${number}`, files }));
    }
    for (let passed = 0; passed < 3 * minuteMs; passed += 5 * secondMs) await harness.pass(5 * secondMs);
    const gates = pulls.map((pull) => gateOf(harness, pull) === "success");
    expect(gates.filter((isGreen) => isGreen)).toHaveLength(1);
    expect(model.asked).toEqual(["review_find", "review_look"]);
    const refused = pulls.find((_, index) => gates[index] === false);
    // While the other one is at it, what is set aside for it counts as if it were spent.
    expect(refused && reviewsOf(harness, refused).join()).toContain("$0.35 is left");
  });
});

describe("a budget for a pull", () => {
  it("goes on with the cheaper model before it stops, and says both", async () => {
    const usual = paidModel({ name: "dear", callMicroUsd: 20 * cent, estimateMicroUsd: 45 * cent });
    const cheap = paidModel({ name: "cheap", callMicroUsd: 2 * cent, estimateMicroUsd: 5 * cent });
    const harness = await buildHarness(paying({ pullUsd: 0.5 }, usual, cheap));
    const pull = await openPull(harness, 1);
    for (const word of ["one", "two", "three"]) {
      await harness.push(pull, { "src/file-1.ts": `export const ${word} = 1;\n` });
      await harness.settle();
    }
    expect([usual.asked.length, cheap.asked.length]).toEqual([2, 4]);
    expect((await recordsOf(harness, pull)).spentMicroUsd).toBe(48 * cent);
    const bodies = reviewsOf(harness, pull).join("\n");
    expect(bodies).toContain("The budget of this pull is $0.50, of which $0.02 is left");
    expect(managed(harness, pull)).toContain("It does not start again by itself");
    const { runs } = await recordsOf(harness, pull);
    const summaries = runs.flatMap(({ state }) => (state.kind === "completed" ? [state.summary] : []));
    expect(summaries.filter((summary) => summary.includes("done by the cheaper model"))).toHaveLength(2);
  });

  it("counts what failed looks have cost, and ends them before their attempts are used up", async () => {
    const model = paidModel({ name: "dear", callMicroUsd: 20 * cent, estimateMicroUsd: 25 * cent });
    const failing: Model = {
      ...model,
      converse: async (turn) => {
        const { usage } = await model.converse(turn);
        return { kind: "failed", why: "overloaded", retryAt: null, usage };
      },
    };
    const harness = await buildHarness(paying({ pullUsd: 0.5 }, failing));
    const pull = await openPull(harness, 1);
    await harness.pass(hourMs);
    expect(model.asked).toHaveLength(2);
    expect((await recordsOf(harness, pull)).spentMicroUsd).toBe(40 * cent);
    expect(reviewsOf(harness, pull).join()).toContain("The budget of this pull is $0.50, of which $0.10 is left");
  });

  it("is still used up when the database is lost", async () => {
    const model = paidModel({ name: "dear", callMicroUsd: 20 * cent, estimateMicroUsd: 45 * cent });
    const harness = await buildHarness(paying({ pullUsd: 0.5 }, model));
    const pull = await openPull(harness, 1);
    await harness.pass(hourMs);
    await harness.loseDatabase();
    await harness.push(pull, { "src/file-1.ts": "export const two = 2;\n" });
    await harness.settle();
    expect(model.asked).toHaveLength(2);
    expect(reviewsOf(harness, pull).join("\n")).toContain("The budget of this pull is $0.50, of which $0.10 is left");
  });
});

const putOff = "This is not answered yet";

function dearModel(): PaidModel {
  return paidModel({ name: "dear", callMicroUsd: 20 * cent, estimateMicroUsd: 45 * cent });
}

function answersIn(harness: Harness, pull: PullRef): readonly string[] {
  return botWords(harness, pull).filter((body) => body.includes("In answer to `ada`"));
}

describe.each(manners)("on a %s, a question beyond the budget", (manner) => {
  it("is not taken for answered, and the comment that says so becomes the answer when the day is over", async () => {
    const model = dearModel();
    const harness = await buildHarness({ ...paying({ repositoryDayUsd: 0.8 }, model), manner });
    const pull = await openPull(harness, 1);
    await harness.as(harness.ada).comment(pull, "@drover why is this here?");
    await harness.settle();
    await harness.pass(2 * hourMs);
    expect(model.asked).toEqual(["review_find", "review_look"]);
    expect(answersIn(harness, pull)).toEqual([expect.stringContaining(putOff)]);
    expect(answersIn(harness, pull)[0]).toContain(
      "The budget of this repository for today is $0.80, of which $0.40 is left",
    );
    const { questions, classifications } = await recordsOf(harness, pull);
    expect(questions).toMatchObject([{ status: "FAILED", failure: { attempts: 0 } }]);
    // What nobody could read is not taken for a question either.
    expect(classifications).toEqual([]);
    await harness.pass(24 * hourMs);
    expect(model.asked.slice(2)).toEqual(["classify", "answer"]);
    expect(answersIn(harness, pull)).toEqual([expect.stringContaining("Because.")]);
    expect(answersIn(harness, pull)[0]).not.toContain(putOff);
    expect((await recordsOf(harness, pull)).questions).toMatchObject([{ status: "ANSWERED" }]);
  });

  it("is answered in the same comment once the operator allows more, however long that takes", async () => {
    const model = dearModel();
    const budgets = { pullUsd: 0.5 };
    const harness = await buildHarness({ ...paying(budgets, model), manner });
    const pull = await openPull(harness, 1);
    await harness.as(harness.ada).comment(pull, "@drover why is this here?");
    await harness.settle();
    await harness.pass(30 * hourMs);
    expect(answersIn(harness, pull)).toEqual([expect.stringContaining("the operator can raise `budgets.pullUsd`")]);
    expect(answersIn(harness, pull)[0]).not.toContain("edit");
    budgets.pullUsd = 5;
    await harness.pass(2 * hourMs);
    expect(answersIn(harness, pull)).toEqual([expect.stringContaining("Because.")]);
    expect(botWords(harness, pull)).toHaveLength(1);
  });

  it("is weighed as the argument that it is when there is money again", async () => {
    const budgets = { dayUsd: 0.3 };
    const model = dearModel();
    const arguing: Model = {
      ...model,
      ask: async (question) => {
        await model.ask(question);
        const said = {
          classify: '{"meaning":"dispute"}',
          answer: "No.",
          dispute: '{"proposal":"maintain","reason":""}',
        };
        return { kind: "answered", text: said[question.purpose], costMicroUsd: 20 * cent };
      },
    };
    const rules = { approval: byModel.approval };
    const harness = await buildHarness({ ...paying(budgets, arguing), manner, rules });
    const pull = await harness.open({ files: { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" } });
    await harness.settle();
    const [thread] = harness.look(pull).threads;
    if (thread === undefined) throw new Error("the finding has a thread");
    await harness.as(harness.ada).reply(pull, thread.id, "This is a tool for debugging.");
    await harness.settle();
    const replies = (): readonly string[] =>
      (harness.look(pull).threads[0]?.comments ?? [])
        .slice(1)
        .flatMap(({ author, body }) => (author.id === harness.bot.id ? [body] : []));
    expect(replies()).toEqual([expect.stringContaining(putOff)]);
    budgets.dayUsd = 5;
    await harness.pass(2 * hourMs);
    expect(replies()).toEqual([expect.stringContaining("**Maintained.**")]);
    expect((await recordsOf(harness, pull)).disputes).toMatchObject([{ outcome: "maintained" }]);
  });
});

describe("a model without a price", () => {
  it("is not asked under a cap, and the operator is told what to do", async () => {
    const model = paidModel({ name: "odd", callMicroUsd: 0, estimateMicroUsd: null });
    const harness = await buildHarness(paying({ dayUsd: 100 }, model));
    const pull = await openPull(harness, 1);
    expect(model.asked).toEqual([]);
    expect(reviewsOf(harness, pull).join()).toContain("the price of the model is not known");
    expect(gateOf(harness, pull)).not.toBe("success");
  });

  it("is asked where the operator allows it, or has no caps", async () => {
    for (const budgets of [{ dayUsd: 100, allowUnpriced: true }, {}]) {
      const model = paidModel({ name: "odd", callMicroUsd: 0, estimateMicroUsd: null });
      const harness = await buildHarness(paying(budgets, model));
      expect(gateOf(harness, await openPull(harness, 1))).toBe("success");
    }
  });
});

describe("a worker that dies between a call and the record of it", () => {
  it("loses none that was written down, and leaves nothing set aside", async () => {
    const model = paidModel({ name: "dear", callMicroUsd: 5 * cent, estimateMicroUsd: 12 * cent });
    const checks: Promise<void>[] = [];
    const boundaries = await dieAtEveryBoundary({
      options: paying({ pullUsd: 1 }, model),
      before: (harness) => harness.open({ isDraft: true }),
      after: (harness, pull) => harness.as(harness.ada).editPull(pull, { isDraft: false }),
      check: (harness, pull) => {
        expect(gateOf(harness, pull)).toBe("success");
        checks.push(checkSpent(harness, pull));
      },
    });
    await Promise.all(checks);
    expect(boundaries).toBeGreaterThan(30);
  });
});

/** What the records say is what was written down, and all that is not spent can be had again. */
async function checkSpent(harness: Harness, pull: PullRef): Promise<void> {
  const { spentMicroUsd } = await recordsOf(harness, pull);
  const { store, instance, clock } = harness.dependencies;
  const probe = {
    work: "probe",
    holder: "probe",
    place: { instance, repository: pull.repository, pull: pull.number },
    pullSpentMin: 0,
    caps: { pull: 100 * cent, repositoryDay: null, day: null, allowsUnpriced: false },
    offers: [{ costMicroUsd: 101 * cent, until: clock.now() }],
    now: clock.now(),
  };
  const answer = await store.reserve(probe);
  expect(answer).toMatchObject({ kind: "refused", leftMicroUsd: 100 * cent - spentMicroUsd });
  expect(spentMicroUsd).toBeGreaterThanOrEqual(10 * cent);
}
