import { after, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import {
  type BatchArrival,
  type BatchEntry,
  type BatchIntent,
  type BatchResults,
  noteArrival,
  noteResults,
  noteSurplus,
  readSurplus,
} from "#jobs/batch-log.ts";
import { forgetWaiting, rememberWaiting } from "#jobs/batch-waiting.ts";
import type { JobPlace } from "#jobs/job.ts";
import { type BatchEnding, type Batches, type BatchHandle, type BatchProgress, submitMsMax } from "#ports/batches.ts";
import type { BatchedReviewer } from "#ports/reviewer.ts";

/** Whoever follows a batch. */
export interface Following {
  readonly place: JobPlace;
  readonly data: ReviewJobData;
  readonly batched: BatchedReviewer;
  readonly batches: Batches;
}

export interface Waits {
  readonly kind: "waits";
  readonly at: Instant;
}

/** Both providers end what is older than a day; the rest is for clocks and queues. */
const batchMsMax = 27 * hourMs;

/**
 * What became of a submission of which nobody heard. It is looked for once it must have arrived, if it ever did. As long
 * as the provider cannot tell it from others it is waited for: two would be paid for, and a day of waiting is not.
 */
export async function followArrival(following: Following, entry: BatchEntry): Promise<BatchArrival | Waits> {
  const { place, batches } = following;
  const { number, intent } = entry;
  const { clock, spans } = place.parts;
  const last = after(intent.at, submitMsMax);
  const believedFrom = after(last, spans.settleMs);
  if (clock.now() < believedFrom) return { kind: "waits", at: believedFrom };
  const wanted = { token: intent.token, since: intent.at, until: last, requests: intent.requests.length };
  const found = await batches.find(wanted, place.signal);
  switch (found.kind) {
    case "found":
      return await arrive(following, number, found.handle);
    case "none":
      return await noteArrival(place, number, lost("it never arrived", true));
    case "cannot_tell":
      if (clock.now() < after(intent.at, batchMsMax)) return nextLook(following, intent.at);
      return await noteArrival(place, number, lost(`nobody can tell whether it arrived: ${found.why}`, false));
    default:
      return never(found);
  }
}

function lost(why: string, isPassing: boolean): BatchArrival {
  return { kind: "refused", why, isPassing, retryAt: null };
}

/** It is there. Should another worker have written down something else, this one is one too many. */
export async function arrive(following: Following, number: number, handle: BatchHandle): Promise<BatchArrival> {
  const { place, batches } = following;
  const kept = await noteArrival(place, number, { kind: "submitted", handle: { id: handle.id, model: handle.model } });
  const isMine = kept.kind === "submitted" && kept.handle.id === handle.id;
  if (isMine) await rememberWaiting(following, handle);
  else {
    place.parts.log.warn({ job: place.key, batch: handle.id }, "a batch was submitted twice, one is cancelled");
    // It ends in a while: it is forgotten together with the one that counts.
    await noteSurplus(place, number, handle);
    await batches.cancel(handle, place.signal);
  }
  return kept;
}

/** The results, once they are there; what the provider keeps of them is deleted then. */
export async function followResults(
  following: Following,
  { number, intent }: BatchEntry,
  handle: BatchHandle,
): Promise<BatchResults | Waits> {
  const { place, batches, batched } = following;
  const { signal, parts } = place;
  const progress = await batches.check(handle, { shape: batched.shape, signal });
  if (progress.kind === "unavailable") {
    parts.log.warn({ job: place.key, batch: handle.id, why: progress.why }, "nobody could be asked about a batch");
  }
  const results = resultsOf(progress, intent);
  if (results === null && parts.clock.now() < after(intent.at, 2 * batchMsMax)) {
    return nextLook(following, intent.at, progress.kind === "unavailable" ? progress.retryAt : null);
  }
  const kept = await noteResults(place, number, results ?? nothingOf(intent, "failed", "the provider never ended it"));
  await forgetWaiting(place, handle);
  for (const over of [handle, ...(await readSurplus(place, number))]) await batches.forget(over, signal);
  return kept;
}

function resultsOf(progress: BatchProgress, intent: BatchIntent): BatchResults | null {
  switch (progress.kind) {
    case "running":
    case "unavailable":
      return null;
    case "failed":
      return nothingOf(intent, "failed", progress.why);
    case "ended": {
      const { answers, how } = progress;
      const missing = nothingOf(intent, unansweredBy[how], null).answers;
      const known = new Map(answers.map((answer) => [answer.id, answer]));
      return { failure: null, answers: missing.map((one) => known.get(one.id) ?? one) };
    }
    default:
      return never(progress);
  }
}

const unansweredBy: Readonly<Record<BatchEnding, "failed" | "expired" | "cancelled">> = {
  completed: "failed",
  expired: "expired",
  cancelled: "cancelled",
};

/** Nobody answered, and nothing was billed. */
export function nothingOf(
  { requests }: Pick<BatchIntent, "requests"> | { readonly requests: readonly { readonly id: string }[] },
  why: "failed" | "expired" | "cancelled",
  failure: string | null,
): BatchResults {
  const counts = { tokensIn: 0, tokensCached: 0, tokensOut: 0, costMicroUsd: 0, isPriced: true, ms: 0 };
  const call = { ...counts, delivery: "batch" as const, model: "", outcome: "unavailable" as const };
  return { failure, answers: requests.map(({ id }) => ({ id, kind: "unanswered" as const, why, call })) };
}

const lookMsMin = minuteMs;
const lookMsMax = 15 * minuteMs;

/** Ever more seldom: most batches end within the hour, and a few take the day. */
function nextLook({ place }: Pick<Following, "place">, since: Instant, told: Instant | null = null): Waits {
  const now = place.parts.clock.now();
  const waitMs = Math.min(lookMsMax, Math.max(lookMsMin, (now - since) / 4));
  const at = after(now, Math.round(waitMs));
  return { kind: "waits", at: told !== null && told > at ? told : at };
}
