import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botWords } from "#harness/sights.ts";
import type { Answerer, ModelQuestion } from "#ports/model.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

/** A model that takes remarks with a question mark for questions, all others for arguments, and keeps what it was asked. */
function listening(): Answerer & { readonly asked: ModelQuestion[] } {
  const asked: ModelQuestion[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      const isQuestion = question.prompt.at(-1)?.text.includes("?") === true;
      const text = {
        classify: JSON.stringify({ meaning: isQuestion ? "question" : "dispute" }),
        answer: "It splits on blanks.",
        dispute: '{"proposal":"maintain","reason":"It stops the page."}',
      }[question.purpose];
      return { kind: "answered", text, costMicroUsd: 10 };
    },
  };
}

async function opened(manner: SandboxManner) {
  const model = listening();
  const harness = await buildHarness({ manner, parts: () => ({ model }) });
  const pull = await harness.open({ files: blocked });
  await harness.settle();
  return { harness, pull, model };
}

async function replyTo(harness: Harness, pull: PullRef, words: string): Promise<void> {
  const [thread] = harness.look(pull).threads;
  if (thread === undefined) throw new Error("the finding has a thread");
  await harness.as(harness.ada).reply(pull, thread.id, words);
}

/** What the model was shown under this title when it was asked for this the last time. */
function shown(asked: readonly ModelQuestion[], purpose: ModelQuestion["purpose"], title: string): string | undefined {
  const prompt = asked.findLast((one) => one.purpose === purpose)?.prompt ?? [];
  return prompt.find((part) => part.kind === "data" && part.title === title)?.text;
}

describe.each(manners)("on a %s, an answer", (manner) => {
  it("in the conversation is made with what was said in the threads, and one in a thread with the conversation", async () => {
    const { harness, pull, model } = await opened(manner);
    await replyTo(harness, pull, "The release needs this tool.");
    await harness.pass(2 * minuteMs);
    expect(shown(model.asked, "dispute", "the thread")).toContain("The release needs this tool.");
    await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(2 * minuteMs);
    expect(shown(model.asked, "answer", "the conversation")).toContain("what does this do?");
    expect(shown(model.asked, "answer", "said elsewhere on the pull")).toBe(
      "(on src/lexer.ts) ada: The release needs this tool.",
    );
    await replyTo(harness, pull, "As rita was told, it only splits.");
    await harness.pass(2 * minuteMs);
    const elsewhere = shown(model.asked, "dispute", "said elsewhere on the pull");
    expect(elsewhere).toContain("(in the conversation) rita:");
    expect(elsewhere).toContain("what does this do?");
    expect(elsewhere).not.toContain("As rita was told");
  });

  it("says which of several questions of one person it answers, with a link to each", async () => {
    const { harness, pull } = await opened(manner);
    const first = await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    const second = await harness.as(harness.rita).comment(pull, "@drover and why is it so slow?");
    const other = await harness.as(harness.mia).comment(pull, "@drover who needs it?");
    await harness.pass(3 * minuteMs);
    const words = botWords(harness, pull);
    expect(words).toHaveLength(3);
    const anchors = [first, second, other].map((id) => `(#issuecomment-${id.replaceAll(/\D/g, "")})`);
    const answers = anchors.map((anchor) => words.find((body) => body.includes(anchor)) ?? "none");
    expect(answers[0]).toMatch(/In answer to `rita` .*\n\n> .*what does this do\?\n/);
    expect(answers[1]).toMatch(/In answer to `rita` .*\n\n> .*and why is it so slow\?\n/);
    // Whoever asks once knows what they have asked.
    expect(answers[2]).toContain("In answer to `mia`");
    expect(answers[2]).not.toMatch(/^>/m);
  });

  it("that the model had to break off ends with a sentence, and says that it was cut", async () => {
    const model = listening();
    const short: Answerer = {
      ask: async (question) => {
        if (question.purpose !== "answer") return await model.ask(question);
        const text = "It splits on blanks. Then it counts what is left. After th";
        return { kind: "answered", text, isCut: true, costMicroUsd: 10 };
      },
    };
    const harness = await buildHarness({ manner, parts: () => ({ model: short }) });
    const pull = await harness.open({ files: blocked });
    await harness.settle();
    await harness.as(harness.rita).comment(pull, "@drover what does this do?");
    await harness.pass(2 * minuteMs);
    const [words = ""] = botWords(harness, pull);
    expect(words).toContain(
      "Then it counts what is left.\n\n_The answer was longer than I may write, and is cut here.",
    );
    expect(words).not.toContain("After th");
  });
});
