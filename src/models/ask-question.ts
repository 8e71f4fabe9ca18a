import { askChain } from "#models/ask-chain.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelAnswer, ModelQuestion, ModelTurn } from "#ports/model.ts";

/** One short question, as a conversation of one turn without tools. */
export async function askQuestion(context: ModelCallContext, question: ModelQuestion): Promise<ModelAnswer> {
  const { purpose, prompt, answerCharactersMax, signal, onCall } = question;
  const turn: ModelTurn<string> = {
    purpose,
    messages: [{ from: "drover", parts: prompt }],
    shape: null,
    tools: [],
    // A token is at least one character; what a model thinks before it answers needs room as well.
    limits: { answerTokensMax: answerCharactersMax, toolCallsMax: 0, timeMsMax: context.durations.askMsMax },
    signal,
    onCall,
  };
  const outcome = await askChain(context, turn, { isShort: true });
  const { costMicroUsd } = outcome.usage;
  if (outcome.kind === "failed") return { kind: "failed", why: outcome.why, retryAt: outcome.retryAt, costMicroUsd };
  if (outcome.kind === "unreadable") return { kind: "failed", why: outcome.why, retryAt: null, costMicroUsd };
  const text = outcome.value.slice(0, answerCharactersMax);
  const isCut = outcome.isCut === true || text.length < outcome.value.length;
  return { kind: "answered", text, costMicroUsd, isCut };
}
