import { Untrusted } from "#core/model/ids.ts";
import { sharedBeginning } from "#harness/shared-beginning.ts";
import { answerInstructions, classifyInstructions, conversationData, talkPrompt } from "#jobs/prompts.ts";
import type { ModelTurn } from "#ports/model.ts";
import { modelAnswerer } from "#reviewers/model/model-answerer.ts";
import { median, short } from "./figures.ts";
import type { RealDiff } from "./tokens-corpus.ts";
import {
  cachedShare,
  cachedTokensMin,
  countTokens,
  reviewTurns,
  steadyModel,
  viewOf,
  wireText,
} from "./tokens-review.ts";

interface TalkTokens {
  readonly whole: number;
  /** Within minutes of a review by the same model. */
  readonly afterReview: number;
  /** What a remark means, asked by itself, and with the change in front of it out of the cache. */
  readonly meaning: number;
  readonly meaningInView: number;
}

const said = [
  conversationData(
    "the conversation",
    Untrusted.parse("rita: Could you say why this is done twice? I would have done it once."),
  ),
  conversationData("the question", Untrusted.parse("Could you say why this is done twice? I would have done it once.")),
];

/** What an answer about a change sends, alone and behind a review that has filled the cache. */
export async function benchTalk(print: (line: string) => void, diffs: readonly RealDiff[]): Promise<void> {
  const measured: TalkTokens[] = [];
  for (const diff of diffs) measured.push(await talkTokens(diff));
  const middle = (of: (one: TalkTokens) => number): string => short(median(measured.map(of)));
  const answer = `${middle(({ whole }) => whole)} tokens, billed as ${middle(({ afterReview }) => afterReview)} after a review`;
  print(`  an answer with the change in view, medians: ${answer}`);
  const inView = middle(({ meaningInView }) => meaningInView);
  print(
    `  what a remark means: ${middle(({ meaning }) => meaning)} alone, ${inView} behind the change out of the cache`,
  );
}

async function talkTokens({ bytes, readFile }: RealDiff): Promise<TalkTokens> {
  const [find] = await reviewTurns(bytes, { path: "" }, readFile);
  const turns: ModelTurn<unknown>[] = [];
  const question = {
    purpose: "answer",
    answerCharactersMax: 1,
    signal: new AbortController().signal,
    view: { ...viewOf(bytes, readFile), path: null },
  } as const;
  for (const task of [answerInstructions, classifyInstructions]) {
    const prompt = talkPrompt({ task, data: said, isInView: true });
    await modelAnswerer(steadyModel(turns, "")).ask({ ...question, prompt });
  }
  const [before = "", answer = "", meaning = ""] = [find, ...turns].map((turn) => (turn ? wireText(turn) : ""));
  const alone = talkPrompt({ task: classifyInstructions, data: said, isInView: false });
  const bare = { messages: [{ from: "drover", parts: alone } as const], tools: [], shape: null };
  return {
    whole: countTokens(answer),
    afterReview: billedAfter(before, answer),
    meaning: countTokens(wireText(bare)),
    meaningInView: billedAfter(before, meaning),
  };
}

function billedAfter(before: string, text: string): number {
  const kept = countTokens(sharedBeginning(before, text));
  return Math.round(countTokens(text) - (kept >= cachedTokensMin.usual ? kept * (1 - cachedShare) : 0));
}
