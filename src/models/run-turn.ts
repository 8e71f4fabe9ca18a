import type { CallCost } from "#models/call-once.ts";
import { callWithRetries } from "#models/call-with-retries.ts";
import { jsonSchemaOf } from "#models/json-schema.ts";
import type { CallOptions, ProviderOptions, WireMessage, WirePrompt } from "#models/language-model.ts";
import { type ModelCallContext, recordCall, type TurnUsage } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { readAnswer } from "#models/read-answer.ts";
import type { ModelFailure } from "#models/read-failure.ts";
import { runTools, wireTools } from "#models/run-tools.ts";
import { describeShape } from "#models/shape-prompt.ts";
import type { ModelResponse } from "#models/stream-collector.ts";
import { assistantText, wirePrompt } from "#models/wire-prompt.ts";
import type { ModelMessage, ModelTurn } from "#ports/model.ts";

export type TurnAttempt<Value> =
  | {
      readonly kind: "answered";
      readonly value: Value;
      readonly said: readonly ModelMessage[];
      readonly isCut: boolean;
    }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "out"; readonly failure: ModelFailure };

export async function runTurn<Value>(
  context: ModelCallContext,
  { model, bill, turn: wanted, signal, isShort }: TurnContext<Value>,
): Promise<TurnAttempt<Value>> {
  const isBare = model.entry.tools === "none" && wanted.tools.length > 0;
  const turn = isBare ? { ...wanted, tools: [] } : wanted;
  const fence = context.fenceOf(turn.messages);
  const cacheMark = isShort ? null : model.cacheMark;
  const words = [...(isBare ? [noToolsWords] : []), ...(turn.shape === null ? [] : [describeShape(turn.shape)])];
  const start = wirePrompt(turn.messages, {
    fence,
    cacheMark,
    shapeWords: words.length === 0 ? null : words.join("\n"),
  });
  const fixed = fixedOptions(model, turn, fence);
  const more: WireMessage[] = [];
  let callsLeft = turn.limits.toolCallsMax;
  let overruns = 0;
  let isRepaired = false;
  for (;;) {
    const prompt = [...start, ...withMark(more, cacheMark)];
    const result = await callWithRetries(context, bill, { model, options: { ...fixed, prompt }, signal });
    if (result.kind === "out") return result;
    const { answer, spent } = result;
    if (answer.toolCalls.length > 0 && answer.finish !== "length") {
      recordCall(context, bill, { ...spent, outcome: "tools" });
      if (callsLeft <= 0 && ++overruns > overrunsMax) return { kind: "unreadable", why: overrunWords };
      const { clock, durations: spans } = context;
      const round = { tools: turn.tools, calls: answer.toolCalls, callsLeft, fence, signal };
      const content = await runTools({ ...round, clock, toolMsMax: spans.toolMsMax });
      if (signal.aborted) return { kind: "out", failure: stopped(model) };
      more.push({ role: "assistant", content: answer.content }, { role: "tool", content });
      callsLeft -= answer.toolCalls.length;
      continue;
    }
    const reading = readAnswer(turn.shape, answer, { mayBeCut: turn.shape === null });
    const isCut = answer.finish === "length";
    recordCall(context, bill, isCut ? { ...spent, outcome: "cut" } : outcomeOf(spent, reading));
    if (reading.kind === "read") return { kind: "answered", value: reading.value, said: saidIn(answer), isCut };
    if (isRepaired || reading.ask === null) return { kind: "unreadable", why: `${model.name}: ${reading.why}` };
    isRepaired = true;
    more.push(...repair(answer, reading.ask));
  }
}

export interface TurnContext<Value> {
  readonly model: ModelClient;
  readonly bill: TurnUsage;
  readonly turn: ModelTurn<Value>;
  readonly signal: AbortSignal;
  /** One question, one answer: filling a cache would only cost. */
  readonly isShort: boolean;
}

/** Told that no calls are left, a model may try so often again. */
const overrunsMax = 2;
const noToolsWords = "There are no tools here, whatever is said of them: go by what you see.";
const overrunWords = "the model went on calling tools after it was told that no calls are left";

function fixedOptions<Value>(
  model: ModelClient,
  { shape, tools, limits }: ModelTurn<Value>,
  fence: string,
): Omit<CallOptions, "prompt"> {
  // Many servers that enforce a shape enforce it on the calls of tools as well, which then never come.
  const isEnforced = model.isShapeEnforced && shape !== null && tools.length === 0;
  return {
    maxOutputTokens: limits.answerTokensMax,
    ...wireTools(tools),
    ...(isEnforced ? { responseFormat: { type: "json", schema: jsonSchemaOf(shape), name: "answer" } } : {}),
    providerOptions: model.optionsOf(fence),
  };
}

/** The next call repeats all of this, so it is worth a cache up to the last answer of a tool. */
function withMark(more: readonly WireMessage[], cacheMark: ProviderOptions | null): WirePrompt {
  const last = more.at(-1);
  const part = last?.role === "tool" ? last.content.at(-1) : undefined;
  if (cacheMark === null || last?.role !== "tool" || part === undefined) return [...more];
  const content = [...last.content.slice(0, -1), { ...part, providerOptions: cacheMark }];
  return [...more.slice(0, -1), { ...last, content }];
}

function outcomeOf(spent: CallCost, reading: ReturnType<typeof readAnswer>): Parameters<typeof recordCall>[2] {
  return { ...spent, outcome: reading.kind === "read" ? "answered" : reading.outcome };
}

function saidIn({ text }: ModelResponse): readonly ModelMessage[] {
  return [{ from: "model", text }];
}

function repair({ text }: ModelResponse, ask: string): readonly WireMessage[] {
  const question: WireMessage = { role: "user", content: [{ type: "text", text: ask }] };
  return text.trim() === "" ? [question] : [assistantText(text), question];
}

function stopped({ name }: ModelClient): ModelFailure {
  return { outcome: "aborted", why: `${name} was stopped`, isPassing: false, retryAt: null };
}
