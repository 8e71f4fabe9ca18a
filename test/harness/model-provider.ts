import { LLMock } from "@copilotkit/aimock";

/** A provider of models on this machine, whose model sees a `debugger` in every change and stands by it. */
export interface ModelProvider {
  /** Where it is served, without a path. */
  readonly url: string;
  /** What it was asked, as text. */
  readonly asked: () => readonly AskedOnce[];
  /** From now on it refuses everything in this way; null: it answers again. */
  refuse(status: number | null): void;
  /** From now on it answers questions with this, or with what this makes of the question. */
  say(words: string | ((question: string) => string)): void;
  /** From now on it weighs what is said against a finding so, having read the thread. */
  weigh(weighed: (thread: string) => Opinion): void;
  /** The way there for whoever wants to reach any provider in the world. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

export interface AskedOnce {
  readonly path: string;
  readonly body: string;
}

/** What the model says is wrong; the fixed rules have other words for it. */
export const modelWords = "Whoever opens the page with their tools open is stopped here.";

/** A remark with these words in it asks for nothing. */
export const asideWords = "just saying";

/** A remark with these words in it argues against a finding. */
export const disputeWords = "I disagree";

/** What a model thinks of an argument. */
export interface Opinion {
  readonly proposal: "concede" | "maintain" | "escalate";
  readonly reason: string;
}

/** What it answers to questions. */
export const talkWords = "It stops the page, for whoever looks into it.";

export async function openModelProvider(): Promise<ModelProvider> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  let refusal: number | null = null;
  let told: string | ((question: string) => string) = talkWords;
  let weighed = maintained;
  mock.addFixture({
    match: { predicate: () => true },
    response: ({ messages }) => {
      if (refusal !== null) return { error: { message: "not now", type: "test_error" }, status: refusal };
      const words = JSON.stringify(messages);
      if (words.includes("Say what it is:")) {
        return { content: JSON.stringify({ meaning: meaningOf(lastPart(words, "the remark")) }), usage };
      }
      if (words.includes("Answer the question")) {
        return { content: typeof told === "string" ? told : told(lastPart(words, "the question")), usage };
      }
      if (words.includes("argues against a finding")) {
        return { content: JSON.stringify(weighed(lastPart(words, "the thread"))), usage };
      }
      const turns = messages.filter(({ role }) => role === "assistant").length;
      return { content: JSON.stringify(answers[turns] ?? answers[1]), usage };
    },
  });
  const url = await mock.start();
  return {
    url,
    asked: () => mock.getRequests().map(onceOf),
    refuse: (status) => {
      refusal = status;
    },
    say: (words) => {
      told = words;
    },
    weigh: (next) => {
      weighed = next;
    },
    fetch: async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      return await fetch(`${url}${pathname}`, init);
    },
    close: async () => await mock.stop(),
  };
}

function maintained(_thread: string): Opinion {
  return { proposal: "maintain", reason: "It stops the page all the same." };
}

/** What the model is asked about comes last, behind what was said before it. */
function lastPart(words: string, title: string): string {
  return words.slice(words.lastIndexOf(`title=\\"${title}`));
}

function meaningOf(remark: string): "nothing" | "dispute" | "question" {
  if (remark.includes(asideWords)) return "nothing";
  return remark.includes(disputeWords) ? "dispute" : "question";
}

/** The server keeps keys to itself; what it was asked is all there. */
function onceOf({ path, body }: ReturnType<LLMock["getRequests"]>[number]): AskedOnce {
  return { path, body: JSON.stringify(body) };
}

const usage = { input_tokens: 1_000, output_tokens: 100, prompt_tokens: 1_000, completion_tokens: 100 };

const finding = {
  id: 1,
  rule: "stops-the-page",
  path: "",
  line: 2,
  code: "  debugger;",
  message: modelWords,
  score: 8,
  fix: null,
};

/** Find, look, verify. */
const answers = [
  { summary: "A page says something.", findings: [finding], verdicts: [] },
  { summary: "", findings: [], verdicts: [] },
  { summary: "", findings: [], verdicts: [{ id: 1, holds: "yes", score: 8, why: "Nothing takes it out." }] },
];
