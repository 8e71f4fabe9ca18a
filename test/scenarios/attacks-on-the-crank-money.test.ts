// @module-tag crash
// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { type Fate, watchedFate } from "#harness/fate.ts";
import { buildHarness, type Harness } from "#harness/harness.ts";
import { botComments, botWords, gateOf } from "#harness/sights.ts";
import type { Agent } from "#ports/agent.ts";
import type { Answerer, ModelQuestion } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { aCompletedReview, aReviewer } from "#testing/review-makers.ts";

/** Nobody watches for thumbs, so that nothing makes Drover look again but what it asks for itself. */
const formal = { approval: { protocols: "reviews" } } as const;
const clean = aCompletedReview({ summary: "Fine.", costMicroUsd: 5 });

async function opened(harness: Harness, files?: Readonly<Record<string, string>>): Promise<PullRef> {
  const pull = await harness.open(files === undefined ? {} : { files });
  await harness.settle();
  return pull;
}

/** Time in small steps, for workers that are busy with something long. */
async function passSlowly(harness: Harness, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * secondMs) await harness.pass(5 * secondMs);
}

describe("what must not be paid for twice", () => {
  it("a look that ends while another worker is looking at the pull", async () => {
    let looks = 0;
    let busy = 0;
    let permissionMs = 0;
    const wait = async (ms: number): Promise<void> => {
      busy++;
      await harness.clock.sleep(ms);
      busy--;
    };
    const review = async (): Promise<ReviewOutcome> => {
      looks++;
      await wait(10 * secondMs);
      return clean;
    };
    const harness: Harness = await buildHarness({
      rules: formal,
      network: () => undefined,
      parts: ({ reviewers }) => ({ reviewers: { ...reviewers, rules: aReviewer(review) } }),
    });
    harness.dismissAll();
    const { forge, queue, instance } = harness.dependencies;
    const slow: typeof forge = {
      ...forge,
      fetchPermission: async (request) => {
        if (permissionMs > 0) await wait(permissionMs);
        return await forge.fetchPermission(request);
      },
    };
    const fate = (): Fate => ({ ...watchedFate(), isAway: () => busy > 0 });
    harness.hire({ forge: slow }, fate());
    harness.hire({ forge: slow }, fate());
    const pull = await harness.open();
    await queue.put(tickEntry(instance, pull));
    await harness.pass(secondMs);
    // The look that follows has read that the review runs, and asks about people for longer than that is true.
    permissionMs = 20 * secondMs;
    await passSlowly(harness, 3 * minuteMs);
    expect(looks).toBe(1);
    expect(gateOf(harness, pull)).toBe("success");
  });

  it("a reviewer that breaks down, every hour and for ever, and nobody is told", async () => {
    let looks = 0;
    const review = async (): Promise<ReviewOutcome> => {
      looks++;
      throw new TypeError("undefined is not a function");
    };
    const harness = await buildHarness({
      rules: formal,
      expectsFailures: true,
      parts: ({ reviewers }) => ({ reviewers: { ...reviewers, rules: aReviewer(review) } }),
    });
    const pull = await opened(harness);
    await harness.pass(24 * hourMs);
    expect(looks).toBe(3);
    expect(gateOf(harness, pull)).toBe("failure");
    expect(botWords(harness, pull)).toHaveLength(1);
    expect(botWords(harness, pull)[0]).toContain("failed with an internal error");
    expect(botWords(harness, pull)[0]).not.toContain("undefined is not a function");
  });

  it("an agent that breaks down", async () => {
    let runs = 0;
    const agent = (): Agent => ({
      run: async () => {
        runs++;
        throw new TypeError("undefined is not a function");
      },
    });
    const harness = await buildHarness({
      rules: { ...formal, fix: { onFeedback: true, quietMs: 0 } },
      expectsFailures: true,
      agent,
    });
    const pull = await harness.open({ by: harness.mia });
    await harness.settle();
    await harness.as(harness.rita).comment(pull, "Please change it.");
    await harness.pass(24 * hourMs);
    expect(runs).toBe(3);
    expect(harness.notices.filter(({ what }) => what.kind === "escalated")).toHaveLength(1);
  });

  it("a model that breaks down, or reckons in parts of a millionth", async () => {
    const asked: ModelQuestion["purpose"][] = [];
    const model: Answerer = {
      ask: async ({ purpose }) => {
        asked.push(purpose);
        if (asked.length === 2) throw new TypeError("undefined is not a function");
        const text = purpose === "classify" ? '{"meaning":"question"}' : "It splits on blanks.";
        return { kind: "answered", text, costMicroUsd: 12.5 };
      },
    };
    const harness = await buildHarness({ rules: formal, expectsFailures: true, parts: () => ({ model }) });
    const pull = await opened(harness);
    await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(10 * minuteMs);
    expect(asked).toEqual(["classify", "answer", "answer"]);
    expect(botWords(harness, pull)).toHaveLength(1);
    const stored = await harness.dependencies.store.findPull(pullKeyOf(harness.dependencies.instance, pull));
    expect(stored?.records.spentMicroUsd).toBe(26);
  });

  it("a question whose answers a maintainer deletes is answered no more, however it is edited", async () => {
    const asked: ModelQuestion["purpose"][] = [];
    const model: Answerer = {
      ask: async ({ purpose }) => {
        asked.push(purpose);
        const text = purpose === "classify" ? '{"meaning":"question"}' : "It splits on blanks.";
        return { kind: "answered", text, costMicroUsd: 10 };
      },
    };
    const harness = await buildHarness({ rules: formal, parts: () => ({ model }) });
    const pull = await opened(harness);
    const question = await harness.as(harness.rita).comment(pull, "@drover one?");
    for (const words of ["@drover two?", "@drover one?"]) {
      await harness.pass(3 * minuteMs);
      const answers = botComments(harness, pull).filter(({ body }) => body.includes("It splits on blanks."));
      for (const { id } of answers) await harness.as(harness.mia).deleteComment(pull, id);
      await harness.pass(3 * minuteMs);
      await harness.as(harness.rita).editComment(pull, question, words);
    }
    await harness.pass(3 * hourMs);
    expect(asked.filter((purpose) => purpose === "answer").length).toBeLessThanOrEqual(3);
    expect(botWords(harness, pull)).toEqual([]);
  });
});

/** Its answers take their time. */
function ponderer(answers: Readonly<Record<ModelQuestion["purpose"], string>>, clock: () => Harness["clock"]) {
  let busy = 0;
  const model: Answerer = {
    ask: async ({ purpose }) => {
      busy++;
      await clock().sleep(purpose === "classify" ? secondMs : 40 * secondMs);
      busy--;
      return { kind: "answered", text: answers[purpose], costMicroUsd: 10 };
    },
  };
  return { model, fate: (): Fate => ({ ...watchedFate(), isAway: () => busy > 0 }) };
}

async function busyHarness(answers: Readonly<Record<ModelQuestion["purpose"], string>>): Promise<Harness> {
  const { model, fate } = ponderer(answers, () => harness.clock);
  const harness: Harness = await buildHarness({ rules: formal, parts: () => ({ model }), fate: fate() });
  harness.hire({}, fate());
  harness.hire({}, fate());
  return harness;
}

describe("is answered twice", () => {
  it("an argument that another one followed while a model was weighing it", async () => {
    const harness = await busyHarness({
      classify: '{"meaning":"dispute"}',
      answer: "",
      dispute: '{"proposal":"maintain","reason":"It stays."}',
    });
    const pull = await opened(harness, { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" });
    const [thread] = harness.look(pull).threads;
    if (thread === undefined) throw new Error("there is one");
    await harness.as(harness.ada).reply(pull, thread.id, "It belongs here.");
    await passSlowly(harness, 15 * secondMs);
    await harness.as(harness.ada).reply(pull, thread.id, "It really does.");
    await passSlowly(harness, 5 * minuteMs);
    const replies = (await harness.ledger(pull)).filter(({ kind }) => kind === "dispute_reply");
    const answered = replies.flatMap(({ why }) => why.inputs.slice(1));
    expect(answered).toHaveLength(2);
    expect(new Set(answered).size).toBe(2);
  });

  it("a question that was edited while a model was answering it", async () => {
    const harness = await busyHarness({
      classify: '{"meaning":"question"}',
      answer: "It splits on blanks.",
      dispute: "",
    });
    const pull = await opened(harness);
    const question = await harness.as(harness.rita).comment(pull, "@drover one?");
    await passSlowly(harness, 15 * secondMs);
    await harness.as(harness.rita).editComment(pull, question, "@drover two?");
    await passSlowly(harness, 5 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
  });
});
