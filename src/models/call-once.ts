import type { Instant } from "#core/model/instant.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { IdleTimeoutError, withIdleTimeout } from "#models/idle-timeout.ts";
import type { CallOptions, ProviderModel } from "#models/language-model.ts";
import type { ModelCallContext } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import { costOf, type Price, readTokens } from "#models/price.ts";
import { type ModelFailure, readFailure } from "#models/read-failure.ts";
import {
  type BrokenStream,
  createStreamCollector,
  type ModelResponse,
  type StreamCollector,
} from "#models/stream-collector.ts";
import type { ModelCall } from "#ports/model.ts";

/** The longest answers, with the frame of each few bytes, come to some 20 MB. */
const answerBytesMax = 64 * 1024 * 1024;

interface Broken {
  readonly options: Pick<CallOptions, "prompt" | "tools">;
  readonly charactersHeard: number;
  readonly price: Price | undefined;
}

/**
 * A provider bills what it accepted before a break, and does not say how much. Rather too much, without the cache: a cap
 * that counts it as nothing is none.
 */
function brokenCost({
  options,
  charactersHeard,
  price,
}: Broken): Pick<ModelCall, "tokensIn" | "tokensOut" | "costMicroUsd"> {
  const tokensIn = [options.prompt, options.tools ?? []]
    .flatMap(textsIn)
    .reduce((sum, text) => sum + estimateTokens(text), 0);
  const tokensOut = Math.ceil(charactersHeard / tokenCharacters);
  const used = { input: tokensIn, cached: 0, cacheWritten: 0, output: tokensOut };
  // An unknown price for long prompts is at least that of short ones.
  const costMicroUsd = price === undefined ? 0 : (costOf(used, price) ?? costOf(used, { ...price, long: null }) ?? 0);
  return { tokensIn, tokensOut, costMicroUsd };
}

/** Fewer than most tokens have. */
const tokenCharacters = 3;

/** A package's options, such as signatures of thoughts, are no words. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => (key === "providerOptions" ? [] : textsIn(inside)));
}

export interface ModelRequest {
  readonly model: ModelClient;
  readonly options: Omit<CallOptions, "abortSignal" | "includeRawChunks">;
  readonly signal: AbortSignal;
}

/** `spent`: the record, without the outcome, which the answer's reader knows. */
export type CallResult =
  | { readonly kind: "answer"; readonly answer: ModelResponse; readonly spent: CallCost }
  | { readonly kind: "failure"; readonly failure: ModelFailure; readonly spent: CallCost };

export type CallCost = Omit<ModelCall, "purpose" | "outcome">;

/** Streamed, so that a silent provider is told from a long answer. Never sent again from here. */
export async function callOnce(
  context: ModelCallContext,
  { model, options, signal }: ModelRequest,
): Promise<CallResult> {
  const { clock, durations: spans, fetch } = context;
  const startedAt = clock.now();
  const stop = new AbortController();
  const abortSignal = AbortSignal.any([signal, stop.signal]);
  let isBilled = false;
  const accepted = (): void => {
    isBilled = true;
  };
  const gatherer = createStreamCollector();
  const fail = (error: unknown): CallResult => {
    // An answer that began was paid for, with an unknown amount.
    const charactersHeard = gatherer.characters();
    const cost = isBilled ? brokenCost({ options, charactersHeard, price: context.priceOf(model.name) }) : {};
    const spent = { ...spentOn(context, model, startedAt), ...cost, isPriced: !isBilled };
    return { kind: "failure", failure: failureOf(error, { context, model, signal }), spent };
  };
  try {
    const answer = await withIdleTimeout(clock, { ms: spans.silenceMsMax, signal }, async (sound) => {
      const language = model.withFetch(fetchWithActivity(fetch, { accepted, sound }));
      const { stream } = await language.doStream({ ...options, abortSignal, includeRawChunks: false });
      return await readStream(stream, gatherer, charactersMaxOf(options));
    });
    if ("kind" in answer) return fail(answer.error);
    return {
      kind: "answer",
      answer,
      spent: { ...spentOn(context, model, startedAt), ...priced(context, model, answer) },
    };
  } catch (error) {
    return fail(error);
  } finally {
    stop.abort();
  }
}

type Stream = Awaited<ReturnType<ProviderModel["doStream"]>>["stream"];

async function readStream(
  stream: Stream,
  gatherer: StreamCollector,
  charactersMax: number,
): Promise<ModelResponse | BrokenStream> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return gatherer.end();
    gatherer.add(value);
    if (gatherer.characters() > charactersMax) return gatherer.truncate();
  }
}

/** For a server that does not keep to the token limit. */
function charactersMaxOf({ maxOutputTokens }: ModelRequest["options"]): number {
  return (maxOutputTokens ?? answerTokensMax) * tokenCharactersMax;
}

const answerTokensMax = 64_000;
const tokenCharactersMax = 16;

interface Circumstances {
  readonly context: ModelCallContext;
  readonly model: ModelClient;
  readonly signal: AbortSignal;
}

function failureOf(error: unknown, { context, model, signal }: Circumstances): ModelFailure {
  if (signal.aborted) {
    const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    const outcome = isLate ? "timed_out" : "aborted";
    return { outcome, why: `${model.name} was stopped`, isPassing: false, retryAt: null };
  }
  if (error instanceof IdleTimeoutError) {
    const seconds = Math.round(context.durations.silenceMsMax / 1000);
    const why = `${model.name} said nothing for ${seconds} s`;
    return { outcome: "timed_out", why, isPassing: true, retryAt: null };
  }
  return readFailure(error, model, context.clock.now());
}

function spentOn({ clock }: ModelCallContext, { name }: ModelClient, startedAt: Instant): CallCost {
  const ms = Math.max(0, clock.now() - startedAt);
  return { model: name, tokensIn: 0, tokensCached: 0, tokensOut: 0, costMicroUsd: 0, isPriced: false, ms };
}

/** A server that names a higher price for one answer is not believed. */
const saidUsdMax = 1_000;

function priced(context: ModelCallContext, model: ModelClient, { usage }: ModelResponse): Partial<CallCost> {
  const tokens = readTokens(usage);
  if (tokens === undefined) return {};
  const price = context.priceOf(model.name);
  const said = model.reportsCost ? usage.raw?.["cost"] : undefined;
  const saidCost = typeof said === "number" && said >= 0 && said <= saidUsdMax ? Math.ceil(said * 1e6) : null;
  const cost = saidCost ?? (price === undefined ? null : costOf(tokens, price));
  return {
    tokensIn: tokens.input,
    tokensCached: tokens.cached,
    tokensOut: tokens.output,
    costMicroUsd: cost ?? 0,
    isPriced: cost !== null,
  };
}

interface Ear {
  /** From here on it may cost something. */
  readonly accepted: () => void;
  readonly sound: () => void;
}

/** The packages hide signs of life and the beginning of an answer. No redirects: fetch would send the key along. */
export function fetchWithActivity(fetch: typeof globalThis.fetch, { accepted, sound }: Ear): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    sound();
    if (response.ok) accepted();
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(audible(sound)), { status, statusText, headers });
  };
}

function audible(sound: () => void): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  return new TransformStream({
    transform: (bytes, controller) => {
      sound();
      count += bytes.byteLength;
      if (count > answerBytesMax) controller.error(new Error(`the answer has more than ${answerBytesMax} bytes`));
      else controller.enqueue(bytes);
    },
  });
}
