import { backoffMs } from "#core/backoff.ts";
import { formatInstant } from "#core/model/instant.ts";
import { type CallResult, callOnce, type ModelRequest } from "#models/call-once.ts";
import { type ModelCallContext, recordCall, type TurnUsage } from "#models/model-call-context.ts";
import type { ModelClient } from "#models/model-client.ts";
import type { ModelFailure } from "#models/read-failure.ts";

export type RetriedCall =
  | Extract<CallResult, { kind: "answer" }>
  | { readonly kind: "out"; readonly failure: ModelFailure };

/** With growing pauses, or the provider's. Each try is a call of its own in the record, unlike the packages' retries. */
export async function callWithRetries(
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

const pauseSpread = 0.5;

function fractionOf(token: string): number {
  let hash = 0;
  for (const character of token) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0) / 2 ** 32;
}
