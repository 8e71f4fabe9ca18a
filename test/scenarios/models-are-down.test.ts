import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { Records } from "#core/model/records.ts";
import type { Answerer, ModelAnswer, ModelQuestion } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { botWords, gateOf } from "#town/sights.ts";
import { buildTown, manners, type Town, type TownOptions } from "#town/town.ts";

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

async function opened(options: TownOptions): Promise<{ readonly town: Town; readonly pull: PullRef }> {
  // Nobody looks for reactions, so that days pass in few looks.
  const rules = { approval: { protocols: "reviews" as const }, ...options.rules };
  const town = await buildTown({ ...options, rules });
  const pull = await town.open({ files: blocked });
  await town.settle();
  return { town, pull };
}

async function replyTo(town: Town, pull: PullRef, words: string, who = town.ada) {
  const [thread] = town.look(pull).threads;
  if (thread === undefined) throw new Error("the finding has a thread");
  return await town.as(who).reply(pull, thread.id, words);
}

function ownReplies(town: Town, pull: PullRef): readonly string[] {
  const [, ...replies] = town.look(pull).threads[0]?.comments ?? [];
  return replies.filter(({ author }) => author.id === town.bot.id).map(({ body }) => body);
}

async function recordsOf(town: Town, pull: PullRef): Promise<Records> {
  const stored = await town.dependencies.store.findPull(pullKeyOf(town.dependencies.instance, pull));
  if (stored === undefined) throw new Error("the pull is known");
  return stored.records;
}

describe.each(manners)("on a %s with a model that is down", (manner) => {
  it("a question has one comment, which says why, what else goes wrong, and in the end the answer", async () => {
    let [answers, why]: [Answers, string] = [{ ...usual, answer: null }, "the provider is down"];
    const { town, pull } = await opened({
      manner,
      parts: () => ({
        model: model(
          () => answers,
          () => why,
        ),
      }),
    });
    await town.as(town.rita).comment(pull, "@drover what does this do?");
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("could not be answered yet")]);
    expect(botWords(town, pull)[0]).toContain("the provider is down");
    expect((await recordsOf(town, pull)).questions).toMatchObject([{ status: "FAILED" }]);
    why = "the key is wrong";
    await town.pass(20 * minuteMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("the key is wrong")]);
    answers = usual;
    await town.pass(hourMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("It splits on blanks.")]);
    expect(botWords(town, pull)[0]).not.toContain("could not be answered");
    expect((await recordsOf(town, pull)).questions).toMatchObject([{ status: "ANSWERED" }]);
  });

  it("a question is given up some time, says so, and is tried again once it is edited", async () => {
    let answers: Answers = { ...usual, answer: null };
    const { town, pull } = await opened({ manner, parts: () => ({ model: model(() => answers) }) });
    const asked = await town.as(town.rita).comment(pull, "@drover what does this do?");
    await town.pass(24 * hourMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("do not retry by myself")]);
    answers = usual;
    await town.pass(12 * hourMs);
    expect(botWords(town, pull)[0]).toContain("do not retry by myself");
    await town.as(town.rita).editComment(pull, asked, "@drover what does that do?");
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("It splits on blanks.")]);
  });

  it("the log tells of it under the name that stands in the comment", async () => {
    const lines: unknown[] = [];
    const { town, pull } = await opened({
      manner,
      parts: ({ log }) => ({
        model: model(() => down),
        log: { ...log, warn: (facts) => void lines.push(facts["id"]) },
      }),
    });
    await town.as(town.rita).comment(pull, "@drover what does this do?");
    await town.pass(5 * minuteMs);
    const id = /`([0-9a-f]{10})` in the log/.exec(botWords(town, pull)[0] ?? "")?.[1];
    expect(id).toBeDefined();
    expect(lines).toContain(id);
  });

  it("thanks that could not be read are not answered once they can be", async () => {
    let answers: Answers = down;
    const { town, pull } = await opened({ manner, parts: () => ({ model: model(() => answers) }) });
    await town.as(town.rita).comment(pull, "@drover thanks");
    await town.pass(5 * minuteMs);
    expect((await recordsOf(town, pull)).classifications).toEqual([]);
    answers = { ...usual, classify: '{"meaning":"acknowledgement"}' };
    await town.pass(hourMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("there is nothing to answer here")]);
  });

  it.each(["classify", "dispute"] as const)(
    "an argument is not escalated but weighed later (%s fails)",
    async (fails) => {
      let answers: Answers = { ...usual, classify: disputeWords, [fails]: null };
      const { town, pull } = await opened({
        manner,
        rules: { humans: ["mia"] },
        parts: () => ({ model: model(() => answers) }),
      });
      await replyTo(town, pull, "This is a tool for debugging.");
      await town.pass(5 * minuteMs);
      expect(ownReplies(town, pull)).toEqual([expect.stringContaining("the provider is down")]);
      expect((await recordsOf(town, pull)).findings[0]?.state.kind).toBe("open");
      answers = { ...usual, classify: disputeWords };
      await town.pass(hourMs);
      expect(ownReplies(town, pull)).toEqual([expect.stringContaining("**Maintained.**")]);
      expect((await recordsOf(town, pull)).disputes).toMatchObject([{ outcome: "maintained" }]);
    },
  );

  it("an argument that no answer about can be read goes to people, with a word about the model", async () => {
    const answers = { ...usual, classify: disputeWords, dispute: "{not json" };
    const { town, pull } = await opened({
      manner,
      rules: { humans: ["mia"] },
      parts: () => ({ model: model(() => answers) }),
    });
    await replyTo(town, pull, "This is a tool for debugging.");
    await town.pass(5 * minuteMs);
    expect(ownReplies(town, pull)).toEqual([expect.stringContaining("its answer could not be read")]);
  });
});

describe.each(manners)("on a %s without a model, a reply in the thread of a finding", (manner) => {
  it("is answered once with what holds and who can waive", async () => {
    const { town, pull } = await opened({ manner, parts: () => ({ model: null }) });
    await replyTo(town, pull, "This is a tool for debugging.");
    await town.pass(5 * minuteMs);
    expect(ownReplies(town, pull)).toEqual([expect.stringContaining("This finding stands.")]);
    expect(ownReplies(town, pull)[0]).toContain("waive: <reason>");
    await replyTo(town, pull, "Really, why?");
    await town.pass(5 * minuteMs);
    expect(ownReplies(town, pull)).toHaveLength(1);
    expect(gateOf(town, pull)).toBe("failure");
  });

  it("calls the people who are configured", async () => {
    const { town, pull } = await opened({ manner, rules: { humans: ["mia"] }, parts: () => ({ model: null }) });
    await replyTo(town, pull, "This is a tool for debugging.");
    await town.pass(5 * minuteMs);
    expect(ownReplies(town, pull)).toEqual([expect.stringContaining("@mia")]);
    expect((await recordsOf(town, pull)).findings[0]?.state.kind).toBe("escalated");
  });

  it("that waives is obeyed, and recorded with name, reason and head", async () => {
    const { town, pull } = await opened({ manner, parts: () => ({ model: null }) });
    await replyTo(town, pull, "This is a tool for debugging.");
    await town.pass(5 * minuteMs);
    await replyTo(town, pull, "waive: it is a tool", town.mia);
    await town.pass(5 * minuteMs);
    expect(ownReplies(town, pull).join()).toContain("it is a tool");
    const { disputes, findings } = await recordsOf(town, pull);
    expect(disputes.map(({ outcome }) => outcome)).toEqual(["maintained", "waived"]);
    expect(findings[0]?.state).toMatchObject({
      resolution: { how: "waived", by: "mia", reason: "it is a tool", head: town.headOf(pull) },
    });
    await replyTo(town, pull, "Thank you.");
    await town.pass(5 * minuteMs);
    expect((await recordsOf(town, pull)).disputes.at(-1)).toMatchObject({ outcome: "moot" });
    expect(gateOf(town, pull)).toBe("success");
  });
});

describe.each(manners)("on a %s, what was answered", (manner) => {
  it("and is edited for a typo gets no second answer in the thread", async () => {
    const answers = { ...usual, classify: disputeWords };
    const { town, pull } = await opened({ manner, parts: () => ({ model: model(() => answers) }) });
    const reply = await replyTo(town, pull, "This is a tol for debugging.");
    await town.pass(5 * minuteMs);
    await town.as(town.ada).editComment(pull, reply, "This is a tool for debugging.");
    await town.pass(5 * minuteMs);
    expect(ownReplies(town, pull)).toEqual([expect.stringContaining("**Maintained.**")]);
    expect((await recordsOf(town, pull)).disputes).toHaveLength(2);
  });

  it("stays deleted once a maintainer has deleted it, and nobody pays for another one when the question is edited", async () => {
    const asked: string[] = [];
    const counting: Answerer = {
      ask: async (question) => {
        asked.push(question.purpose);
        return await model(() => usual).ask(question);
      },
    };
    const { town, pull } = await opened({ manner, parts: () => ({ model: counting }) });
    const question = await town.as(town.rita).comment(pull, "@drover what does this do?");
    await town.pass(5 * minuteMs);
    const [answer] = (await recordsOf(town, pull)).questions;
    if (answer === undefined || answer.answer === null) throw new Error("there is one");
    await town.as(town.mia).deleteComment(pull, answer.answer);
    await town.pass(5 * minuteMs);
    await town.as(town.rita).editComment(pull, question, "@drover what does this do here?");
    await town.pass(10 * minuteMs);
    expect(botWords(town, pull)).toEqual([]);
    // It is read, because it could be a request by now.
    expect(asked).toEqual(["classify", "answer", "classify"]);
    expect((await recordsOf(town, pull)).questions).toMatchObject([{ status: "ANSWERED", answer: answer.answer }]);
  });

  it("and is edited at once is answered in the same comment", async () => {
    let count = 0;
    const counting: Answerer = {
      ask: async (question) =>
        question.purpose === "answer"
          ? { kind: "answered", text: `Answer ${++count}.`, costMicroUsd: 10 }
          : await model(() => usual).ask(question),
    };
    const { town, pull } = await opened({ manner, parts: () => ({ model: counting }) });
    const question = await town.as(town.rita).comment(pull, "@drover what does this do?");
    await town.settle();
    expect(botWords(town, pull)).toHaveLength(1);
    await town.as(town.rita).editComment(pull, question, "@drover what does this do here?");
    await town.pass(5 * minuteMs);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("Answer 2.")]);
  });
});
