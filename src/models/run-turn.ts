import { backoffMs } from "#core/backoff.ts";
import { Untrusted } from "#core/model/ids.ts";
import { formatInstant } from "#core/model/instant.ts";
import { fenced } from "#core/prompt/fence.ts";
import { type CallCost, type CallResult, callOnce, type ModelRequest } from "#models/call-once.ts";
import { IdleTimeoutError, withIdleTimeout } from "#models/idle-timeout.ts";
import { jsonSchemaOf } from "#models/json-schema.ts";
import type { CallOptions, ProviderOptions, ToolResults, WireMessage, WirePrompt } from "#models/language-model.ts";
import { type ModelCallContext, recordCall, type TurnUsage } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { readAnswer } from "#models/read-answer.ts";
import type { ModelFailure } from "#models/read-failure.ts";
import { describeShape } from "#models/shape-prompt.ts";
import type { ModelResponse, ToolCall } from "#models/stream-collector.ts";
import { assistantText, wirePrompt } from "#models/wire-prompt.ts";
import type { Clock } from "#ports/clock.ts";
import type { ModelMessage, ModelTool, ModelTurn } from "#ports/model.ts";

const pauseSpread = 0.5;

const issuesMax = 5;
const issueCharactersMax = 500;
/** Some ten thousand tokens: more of one file helps no review. Tools that know better cut earlier. */
const toolCharactersMax = 40_000;

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

interface ToolRound {
  readonly tools: readonly ModelTool[];
  readonly calls: readonly ToolCall[];
  readonly callsLeft: number;
  readonly fence: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly toolMsMax: number;
}

/** In turn, and every call is answered: an unanswered one ends a conversation. */
async function runTools(round: ToolRound): Promise<ToolResults> {
  const { tools, calls, callsLeft } = round;
  const results: ToolResults = [];
  for (const [index, call] of calls.entries()) {
    const tool = tools.find(({ name }) => name === call.name);
    const answer =
      index >= callsLeft
        ? "No calls are left. Answer now, with what you know."
        : tool === undefined
          ? `There is no such tool. There are: ${tools.map(({ name }) => name).join(", ")}.`
          : await runTool(tool, call, round);
    results.push({
      type: "tool-result",
      toolCallId: call.id,
      toolName: call.name,
      output: { type: "text", value: answer },
    });
  }
  return results;
}

async function runTool(
  tool: ModelTool,
  { input }: ToolCall,
  { fence, signal, clock, toolMsMax }: ToolRound,
): Promise<string> {
  if (input === undefined) return "The arguments cannot be read as JSON.";
  const read = tool.input.safeParse(input);
  if (!read.success) {
    const issues = read.error.issues.slice(0, issuesMax).map(({ path, message }) => `${path.join(".")}: ${message}`);
    return `The arguments are wrong. ${issues.join("; ").slice(0, issueCharactersMax)}`;
  }
  // Given-up work must end: a model can ask for one slow thing after the other.
  const done = new AbortController();
  const wanted = AbortSignal.any([signal, done.signal]);
  try {
    const text = await withIdleTimeout(clock, { ms: toolMsMax, signal }, async () => await tool.run(read.data, wanted));
    const cut = text.length <= toolCharactersMax ? text : `${text.slice(0, toolCharactersMax)}\n[cut off here]`;
    return fenced({ title: `answer of ${tool.name}`, text: Untrusted.parse(cut), form: "code" }, fence);
  } catch (error) {
    // Its message might tell of the machine that it ran on.
    return error instanceof IdleTimeoutError ? "The tool took too long and was given up." : "The tool failed.";
  } finally {
    done.abort();
  }
}

function wireTools(tools: readonly ModelTool[]): Pick<CallOptions, "tools"> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, words, input }) => ({
      type: "function",
      name,
      description: words,
      inputSchema: jsonSchemaOf(input),
    })),
  };
}

type RetriedCall = Extract<CallResult, { kind: "answer" }> | { readonly kind: "out"; readonly failure: ModelFailure };

/** With growing pauses, or the provider's. Each try is a call of its own in the record, unlike the packages' retries. */
async function callWithRetries(
  context: ModelCallContext,
  bill: TurnUsage,
  request: ModelRequest,
): Promise<RetriedCall> {
  const { model, signal } = request;
  const pause = pauseOf(context, model);
  if (pause.ms > context.durations.pauseMsMax) return { kind: "out", failure: pause.failure };
  if (pause.ms > 0) logPause(context, model, { why: pause.failure.why, pauseMs: pause.ms });
  await context.clock.sleep(pause.ms, signal);
  for (let tries = 1; ; tries++) {
    const result = await callOnce(context, request);
    if (result.kind === "answer") return result;
    const { failure, spent } = result;
    recordCall(context, bill, { ...spent, outcome: failure.outcome });
    if (failure.retryAt !== null) context.outUntil.set(model.name, failure.retryAt);
    const pauseMs = pauseAfter(context, failure, tries);
    const isWorthIt =
      failure.isPassing && tries < context.durations.triesMax && pauseMs <= context.durations.pauseMsMax;
    if (!isWorthIt) return { kind: "out", failure };
    logPause(context, model, { why: failure.why, pauseMs });
    await context.clock.sleep(pauseMs, signal);
    if (signal.aborted) return { kind: "out", failure };
    context.log.info(
      { model: model.name, try: tries + 1, triesMax: context.durations.triesMax },
      "model is asked again",
    );
  }
}

/** Pauses add up to minutes of silence for a waiting person. */
function logPause(
  { log }: ModelCallContext,
  { name }: ModelClient,
  { why, pauseMs }: { readonly why: string; readonly pauseMs: number },
): void {
  log.info({ model: name, why, pauseMs }, "model did not answer, it is asked again after a pause");
}

/** A pause that the provider asked for holds for all requests of this process. */
function pauseOf(
  { outUntil, clock }: ModelCallContext,
  { name }: ModelClient,
): { readonly ms: number; readonly failure: ModelFailure } {
  const now = clock.now();
  const retryAt = outUntil.get(name) ?? now;
  const why = `${name} asked for a pause until ${formatInstant(retryAt)}`;
  return { ms: Math.max(0, retryAt - now), failure: { outcome: "rate_limited", why, isPassing: false, retryAt } };
}

/** The provider's, or doubled each time, with jitter so that not all come back at once. */
function pauseAfter(
  { durations: spans, clock, random }: ModelCallContext,
  { retryAt }: ModelFailure,
  tries: number,
): number {
  const spread = 1 + fractionOf(random.token()) * pauseSpread;
  if (retryAt !== null) return Math.max(0, retryAt - clock.now()) + Math.round((spread - 1) * spans.pauseMs);
  return Math.round(backoffMs({ attempt: tries, firstMs: spans.pauseMs }) * spread);
}

function fractionOf(token: string): number {
  let hash = 0;
  for (const character of token) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0) / 2 ** 32;
}
