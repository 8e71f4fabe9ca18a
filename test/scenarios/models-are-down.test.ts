import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Records } from "#core/model/records.ts";
import { buildHarness, type Harness, type HarnessOptions, manners } from "#harness/harness.ts";
import { botWords, gateOf } from "#harness/sights.ts";
import type { Answerer, ModelAnswer, ModelQuestion } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };
const questionWords = '{"meaning":"question"}';
const disputeWords = '{"meaning":"dispute"}';

type Answers = Readonly<Record<ModelQuestion["purpose"], string | null>>;

/** A model that says these things; what is null fails, for this reason. */
function model(answers: () => Answers, why = (): string => "the provider is down"): Answerer {
  return {
    ask: async ({ purpose }): Promise<ModelAnswer> => {
      const text = answers()[purpose];
      return text === null
        ? { kind: "failed", why: why(), retryAt: null }
        : { kind: "answered", text, costMicroUsd: 10 };
    },
  };
}

const usual = {
  classify: questionWords,
  answer: "It splits on blanks.",
  dispute: '{"proposal":"maintain","reason":"It stops the page."}',
} as const;
const down = { classify: null, answer: null, dispute: null } as const;

async function opened(options: HarnessOptions): Promise<{ readonly harness: Harness; readonly pull: PullRef }> {
  // Nobody looks for reactions, so that days pass in few looks.
  const rules = { approval: { protocols: "reviews" as const }, ...options.rules };
  const harness = await buildHarness({ ...options, rules });
  const pull = await harness.open({ files: blocked });
  await harness.settle();
  return { harness, pull };
}

async function replyTo(harness: Harness, pull: PullRef, words: string, who = harness.ada) {
  const [thread] = harness.look(pull).threads;
  if (thread === undefined) throw new Error("the finding has a thread");
  return await harness.as(who).reply(pull, thread.id, words);
}

function ownReplies(harness: Harness, pull: PullRef): readonly string[] {
  const [, ...replies] = harness.look(pull).threads[0]?.comments ?? [];
  return replies.filter(({ author }) => author.id === harness.bot.id).map(({ body }) => body);
}

async function recordsOf(harness: Harness, pull: PullRef): Promise<Records> {
  const stored = await harness.dependencies.store.findPull(pullKeyOf(harness.dependencies.instance, pull));
  if (stored === undefined) throw new Error("the pull is known");
  return stored.records;
}

describe.each(manners)("on a %s with a model that is down", (manner) => {
  it("a question has one comment, which says why, what else goes wrong, and in the end the answer", async () => {
    let [answers, why]: [Answers, string] = [{ ...usual, answer: null }, "the provider is down"];
    const { harness, pull } = await opened({
      manner,
      parts: () => ({
        model: model(
          () => answers,
          () => why,
        ),
      }),
    });
    await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("could not be answered yet")]);
    expect(botWords(harness, pull)[0]).toContain("the provider is down");
    expect((await recordsOf(harness, pull)).questions).toMatchObject([{ status: "FAILED" }]);
    why = "the key is wrong";
    await harness.pass(20 * minuteMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("the key is wrong")]);
    answers = usual;
    await harness.pass(hourMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("It splits on blanks.")]);
    expect(botWords(harness, pull)[0]).not.toContain("could not be answered");
    expect((await recordsOf(harness, pull)).questions).toMatchObject([{ status: "ANSWERED" }]);
  });

  it("a question is given up some time, says so, and is tried again once it is edited", async () => {
    let answers: Answers = { ...usual, answer: null };
    const { harness, pull } = await opened({ manner, parts: () => ({ model: model(() => answers) }) });
    const asked = await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(24 * hourMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("do not retry by myself")]);
    answers = usual;
    await harness.pass(12 * hourMs);
    expect(botWords(harness, pull)[0]).toContain("do not retry by myself");
    await harness.as(harness.rita).editComment(pull, asked, "@drover what does that do?");
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("It splits on blanks.")]);
  });

  it("the log tells of it under the name that stands in the comment", async () => {
    const lines: unknown[] = [];
    const { harness, pull } = await opened({
      manner,
      parts: ({ log }) => ({
        model: model(() => down),
        log: { ...log, warn: (facts) => void lines.push(facts["id"]) },
      }),
    });
    await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(5 * minuteMs);
    const id = /`([0-9a-f]{10})` in the log/.exec(botWords(harness, pull)[0] ?? "")?.[1];
    expect(id).toBeDefined();
    expect(lines).toContain(id);
  });

  it("thanks that could not be read are not answered once they can be", async () => {
    let answers: Answers = down;
    const { harness, pull } = await opened({ manner, parts: () => ({ model: model(() => answers) }) });
    await harness.as(harness.rita).comment(pull, "@drover thanks");
    await harness.pass(5 * minuteMs);
    expect((await recordsOf(harness, pull)).classifications).toEqual([]);
    answers = { ...usual, classify: '{"meaning":"acknowledgement"}' };
    await harness.pass(hourMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("there is nothing to answer here")]);
  });

  it.each(["classify", "dispute"] as const)(
    "an argument is not escalated but weighed later (%s fails)",
    async (fails) => {
      let answers: Answers = { ...usual, classify: disputeWords, [fails]: null };
      const { harness, pull } = await opened({
        manner,
        rules: { humans: ["mia"] },
        parts: () => ({ model: model(() => answers) }),
      });
      await replyTo(harness, pull, "This is a tool for debugging.");
      await harness.pass(5 * minuteMs);
      expect(ownReplies(harness, pull)).toEqual([expect.stringContaining("the provider is down")]);
      expect((await recordsOf(harness, pull)).findings[0]?.state.kind).toBe("open");
      answers = { ...usual, classify: disputeWords };
      await harness.pass(hourMs);
      expect(ownReplies(harness, pull)).toEqual([expect.stringContaining("**Maintained.**")]);
      expect((await recordsOf(harness, pull)).disputes).toMatchObject([{ outcome: "maintained" }]);
    },
  );

  it("an argument that no answer about can be read goes to people, with a word about the model", async () => {
    const answers = { ...usual, classify: disputeWords, dispute: "{not json" };
    const { harness, pull } = await opened({
      manner,
      rules: { humans: ["mia"] },
      parts: () => ({ model: model(() => answers) }),
    });
    await replyTo(harness, pull, "This is a tool for debugging.");
    await harness.pass(5 * minuteMs);
    expect(ownReplies(harness, pull)).toEqual([expect.stringContaining("its answer could not be read")]);
  });
});

describe.each(manners)("on a %s without a model, a reply in the thread of a finding", (manner) => {
  it("is answered once with what holds and who can waive", async () => {
    const { harness, pull } = await opened({ manner, parts: () => ({ model: null }) });
    await replyTo(harness, pull, "This is a tool for debugging.");
    await harness.pass(5 * minuteMs);
    expect(ownReplies(harness, pull)).toEqual([expect.stringContaining("This finding stands.")]);
    expect(ownReplies(harness, pull)[0]).toContain("waive: <reason>");
    await replyTo(harness, pull, "Really, why?");
    await harness.pass(5 * minuteMs);
    expect(ownReplies(harness, pull)).toHaveLength(1);
    expect(gateOf(harness, pull)).toBe("failure");
  });

  it("calls the people who are configured", async () => {
    const { harness, pull } = await opened({ manner, rules: { humans: ["mia"] }, parts: () => ({ model: null }) });
    await replyTo(harness, pull, "This is a tool for debugging.");
    await harness.pass(5 * minuteMs);
    expect(ownReplies(harness, pull)).toEqual([expect.stringContaining("@mia")]);
    expect((await recordsOf(harness, pull)).findings[0]?.state.kind).toBe("escalated");
  });

  it("that waives is obeyed, and recorded with name, reason and head", async () => {
    const { harness, pull } = await opened({ manner, parts: () => ({ model: null }) });
    await replyTo(harness, pull, "This is a tool for debugging.");
    await harness.pass(5 * minuteMs);
    await replyTo(harness, pull, "waive: it is a tool", harness.mia);
    await harness.pass(5 * minuteMs);
    expect(ownReplies(harness, pull).join()).toContain("it is a tool");
    const { disputes, findings } = await recordsOf(harness, pull);
    expect(disputes.map(({ outcome }) => outcome)).toEqual(["maintained", "waived"]);
    expect(findings[0]?.state).toMatchObject({
      resolution: { how: "waived", by: "mia", reason: "it is a tool", head: harness.headOf(pull) },
    });
    await replyTo(harness, pull, "Thank you.");
    await harness.pass(5 * minuteMs);
    expect((await recordsOf(harness, pull)).disputes.at(-1)).toMatchObject({ outcome: "moot" });
    expect(gateOf(harness, pull)).toBe("success");
  });
});

describe.each(manners)("on a %s, what was answered", (manner) => {
  it("and is edited for a typo gets no second answer in the thread", async () => {
    const answers = { ...usual, classify: disputeWords };
    const { harness, pull } = await opened({ manner, parts: () => ({ model: model(() => answers) }) });
    const reply = await replyTo(harness, pull, "This is a tol for debugging.");
    await harness.pass(5 * minuteMs);
    await harness.as(harness.ada).editComment(pull, reply, "This is a tool for debugging.");
    await harness.pass(5 * minuteMs);
    expect(ownReplies(harness, pull)).toEqual([expect.stringContaining("**Maintained.**")]);
    expect((await recordsOf(harness, pull)).disputes).toHaveLength(2);
  });

  it("stays deleted once a maintainer has deleted it, and nobody pays for another one when the question is edited", async () => {
    const asked: string[] = [];
    const counting: Answerer = {
      ask: async (question) => {
        asked.push(question.purpose);
        return await model(() => usual).ask(question);
      },
    };
    const { harness, pull } = await opened({ manner, parts: () => ({ model: counting }) });
    const question = await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(5 * minuteMs);
    const [answer] = (await recordsOf(harness, pull)).questions;
    if (answer === undefined || answer.answer === null) throw new Error("there is one");
    await harness.as(harness.mia).deleteComment(pull, answer.answer);
    await harness.pass(5 * minuteMs);
    await harness.as(harness.rita).editComment(pull, question, "@drover what does this do here?");
    await harness.pass(10 * minuteMs);
    expect(botWords(harness, pull)).toEqual([]);
    // It is read, because it could be a request by now.
    expect(asked).toEqual(["classify", "answer", "classify"]);
    expect((await recordsOf(harness, pull)).questions).toMatchObject([{ status: "ANSWERED", answer: answer.answer }]);
  });

  it("and is edited at once is answered in the same comment", async () => {
    let count = 0;
    const counting: Answerer = {
      ask: async (question) =>
        question.purpose === "answer"
          ? { kind: "answered", text: `Answer ${++count}.`, costMicroUsd: 10 }
          : await model(() => usual).ask(question),
    };
    const { harness, pull } = await opened({ manner, parts: () => ({ model: counting }) });
    const question = await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.settle();
    expect(botWords(harness, pull)).toHaveLength(1);
    await harness.as(harness.rita).editComment(pull, question, "@drover what does this do here?");
    await harness.pass(5 * minuteMs);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("Answer 2.")]);
  });
});
