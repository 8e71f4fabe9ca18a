import type { Instant } from "#core/model/instant.ts";
import { audibleFetch } from "#models/audible-fetch.ts";
import { brokenCost } from "#models/broken-cost.ts";
import type { Desk } from "#models/desk.ts";
import { type Answer, type BrokenStream, createGatherer, type Gatherer } from "#models/gather-answer.ts";
import type { CallOptions, ProviderModel } from "#models/language-model.ts";
import { listen, Silence } from "#models/listen.ts";
import type { OpenModel } from "#models/open-model.ts";
import { costOf, readTokens } from "#models/price.ts";
import { type Failure, readFailure } from "#models/read-failure.ts";
import type { ModelCall } from "#ports/model.ts";

export interface Request {
  readonly model: OpenModel;
  readonly options: Omit<CallOptions, "abortSignal" | "includeRawChunks">;
  /** Aborted where nobody wants the answer any more, and at the turn's time limit. */
  readonly signal: AbortSignal;
}

/** `spent` is what is recorded of the call, but for what came of it, which the reader of the answer knows. */
export type CallResult =
  | { readonly kind: "answer"; readonly answer: Answer; readonly spent: Spent }
  | { readonly kind: "failure"; readonly failure: Failure; readonly spent: Spent };

export type Spent = Omit<ModelCall, "purpose" | "outcome">;

/**
 * One request, streamed, so that a provider that is gone is told from one that has much to say. It is never sent again
 * from here.
 */
export async function callOnce(desk: Desk, { model, options, signal }: Request): Promise<CallResult> {
  const { clock, spans, fetch } = desk;
  const startedAt = clock.now();
  const stop = new AbortController();
  const abortSignal = AbortSignal.any([signal, stop.signal]);
  let isBilled = false;
  const accepted = (): void => {
    isBilled = true;
  };
  const gatherer = createGatherer();
  const fail = (error: unknown): CallResult => {
    // Once an answer has begun, input was paid for, and nobody says how much. Before that, nothing was.
    const charactersHeard = gatherer.characters();
    const cost = isBilled ? brokenCost({ options, charactersHeard, price: desk.priceOf(model.name) }) : {};
    const spent = { ...spentOn(desk, model, startedAt), ...cost, isPriced: !isBilled };
    return { kind: "failure", failure: failureOf(error, { desk, model, signal }), spent };
  };
  try {
    const answer = await listen(clock, { ms: spans.silenceMsMax, signal }, async (sound) => {
      const language = model.over(audibleFetch(fetch, { accepted, sound }));
      const { stream } = await language.doStream({ ...options, abortSignal, includeRawChunks: false });
      return await readStream(stream, gatherer, charactersMaxOf(options));
    });
    if ("kind" in answer) return fail(answer.error);
    return { kind: "answer", answer, spent: { ...spentOn(desk, model, startedAt), ...priced(desk, model, answer) } };
  } catch (error) {
    return fail(error);
  } finally {
    // Whatever is still open goes nowhere.
    stop.abort();
  }
}

type Stream = Awaited<ReturnType<ProviderModel["doStream"]>>["stream"];

async function readStream(stream: Stream, gatherer: Gatherer, charactersMax: number): Promise<Answer | BrokenStream> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return gatherer.end();
    gatherer.hear(value);
    if (gatherer.characters() > charactersMax) return gatherer.cut();
  }
}

/** A server that does not keep to the limit on tokens is held to this one. */
function charactersMaxOf({ maxOutputTokens }: Request["options"]): number {
  return (maxOutputTokens ?? answerTokensMax) * tokenCharactersMax;
}

const answerTokensMax = 64_000;
const tokenCharactersMax = 16;

interface Circumstances {
  readonly desk: Desk;
  readonly model: OpenModel;
  readonly signal: AbortSignal;
}

function failureOf(error: unknown, { desk, model, signal }: Circumstances): Failure {
  if (signal.aborted) {
    const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    const outcome = isLate ? "timed_out" : "aborted";
    return { outcome, why: `${model.name} was stopped`, isPassing: false, retryAt: null };
  }
  if (error instanceof Silence) {
    const seconds = Math.round(desk.spans.silenceMsMax / 1000);
    const why = `${model.name} said nothing for ${seconds} s`;
    return { outcome: "timed_out", why, isPassing: true, retryAt: null };
  }
  return readFailure(error, model, desk.clock.now());
}

function spentOn({ clock }: Desk, { name }: OpenModel, startedAt: Instant): Spent {
  const ms = Math.max(0, clock.now() - startedAt);
  return { model: name, tokensIn: 0, tokensCached: 0, tokensOut: 0, costMicroUsd: 0, isPriced: false, ms };
}

/** Of one answer. A server that names a higher price than this is not believed. */
const saidUsdMax = 1_000;

/** What the provider counted, at the price that it named or that is known. */
function priced(desk: Desk, model: OpenModel, { usage }: Answer): Partial<Spent> {
  const tokens = readTokens(usage);
  if (tokens === undefined) return {};
  const price = desk.priceOf(model.name);
  const said = model.saysCost ? usage.raw?.["cost"] : undefined;
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
