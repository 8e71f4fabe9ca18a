import { formatInstant } from "#core/model/instant.ts";
import { type CallResult, callOnce, type Request } from "#models/call-once.ts";
import { type Bill, type Desk, enter } from "#models/desk.ts";
import type { OpenModel } from "#models/open-model.ts";
import type { Failure } from "#models/read-failure.ts";

export type Patience =
  | Extract<CallResult, { kind: "answer" }>
  /** The model is out, at least for now. */
  | { readonly kind: "out"; readonly failure: Failure };

/**
 * Sends a request until it is answered, with growing pauses or those that the provider asks for. The packages' own
 * retries are not involved: each try is a call of its own in the record.
 */
export async function callPatiently(desk: Desk, bill: Bill, request: Request): Promise<Patience> {
  const { model, signal } = request;
  const pause = pauseOf(desk, model);
  if (pause.ms > desk.spans.pauseMsMax) return { kind: "out", failure: pause.failure };
  if (pause.ms > 0) logPause(desk, model, { why: pause.failure.why, pauseMs: pause.ms });
  await desk.clock.sleep(pause.ms, signal);
  for (let tries = 1; ; tries++) {
    const result = await callOnce(desk, request);
    if (result.kind === "answer") return result;
    const { failure, spent } = result;
    enter(desk, bill, { ...spent, outcome: failure.outcome });
    if (failure.retryAt !== null) desk.outUntil.set(model.name, failure.retryAt);
    const pauseMs = pauseAfter(desk, failure, tries);
    const isWorthIt = failure.isPassing && tries < desk.spans.triesMax && pauseMs <= desk.spans.pauseMsMax;
    if (!isWorthIt) return { kind: "out", failure };
    logPause(desk, model, { why: failure.why, pauseMs });
    await desk.clock.sleep(pauseMs, signal);
    if (signal.aborted) return { kind: "out", failure };
    desk.log.info({ model: model.name, try: tries + 1, triesMax: desk.spans.triesMax }, "model is asked again");
  }
}

/** Pauses add up to minutes, and whoever waits for the answer would see nothing but silence. */
function logPause(
  { log }: Desk,
  { name }: OpenModel,
  { why, pauseMs }: { readonly why: string; readonly pauseMs: number },
): void {
  log.info({ model: name, why, pauseMs }, "model did not answer, it is asked again after a pause");
}

/** A pause that the provider asked for holds for everybody here, not only for the request that was told of it. */
function pauseOf({ outUntil, clock }: Desk, { name }: OpenModel): { readonly ms: number; readonly failure: Failure } {
  const now = clock.now();
  const retryAt = outUntil.get(name) ?? now;
  const why = `${name} asked for a pause until ${formatInstant(retryAt)}`;
  return { ms: Math.max(0, retryAt - now), failure: { outcome: "rate_limited", why, isPassing: false, retryAt } };
}

/** What the provider asks for, or twice as long each time; always a little more, so that not all come back at once. */
function pauseAfter({ spans, clock, random }: Desk, { retryAt }: Failure, tries: number): number {
  const spread = 1 + fractionOf(random.token()) * pauseSpread;
  if (retryAt !== null) return Math.max(0, retryAt - clock.now()) + Math.round((spread - 1) * spans.pauseMs);
  return Math.round(spans.pauseMs * 2 ** (tries - 1) * spread);
}

const pauseSpread = 0.5;

/** A number from 0 to 1 out of a token. */
function fractionOf(token: string): number {
  let hash = 0;
  for (const character of token) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0) / 2 ** 32;
}
