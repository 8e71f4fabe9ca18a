import { after, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import { batchFailures } from "#core/words/pass-words.ts";
import {
  type BatchArrival,
  type BatchIntent,
  type BatchResults,
  noteArrival,
  noteResults,
  noteSurplus,
  readSurplus,
  type SubmissionRecord,
} from "#jobs/batch-submissions.ts";
import { deleteBatchWaiter, saveBatchWaiter } from "#jobs/batch-waiters.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { type BatchEnding, type Batches, type BatchHandle, type BatchProgress, submitMsMax } from "#ports/batches.ts";
import type { BatchedReviewer } from "#ports/reviewer.ts";

export interface BatchContext {
  readonly context: JobContext;
  readonly data: ReviewJobData;
  readonly batched: BatchedReviewer;
  readonly batches: Batches;
}

export interface BatchWait {
  readonly kind: "waits";
  readonly at: Instant;
}

/** Both providers end a batch after a day; the rest is for clocks and queues. */
const batchMsMax = 27 * hourMs;

/** Without a certain answer the job waits: a second batch would be paid for too, and a day of waiting costs nothing. */
export async function followArrival(
  batchContext: BatchContext,
  entry: SubmissionRecord,
): Promise<BatchArrival | BatchWait> {
  const { context: jobContext, batches } = batchContext;
  const { number, intent } = entry;
  const { clock, durations } = jobContext.dependencies;
  const last = after(intent.at, submitMsMax);
  const believedFrom = after(last, durations.settleMs);
  if (clock.now() < believedFrom) return { kind: "waits", at: believedFrom };
  const wanted = { token: intent.token, since: intent.at, until: last, requests: intent.requests.length };
  const found = await batches.find(wanted, jobContext.signal);
  switch (found.kind) {
    case "found":
      return await arrive(batchContext, number, found.handle);
    case "none":
      return await noteArrival(jobContext, number, lost(batchFailures.neverArrived, true));
    case "cannot_tell":
      if (clock.now() < after(intent.at, batchMsMax)) return nextLook(batchContext, intent.at);
      return await noteArrival(jobContext, number, lost(batchFailures.arrivalUnknown(found.why), false));
    default:
      return never(found);
  }
}

function lost(why: string, isPassing: boolean): BatchArrival {
  return { kind: "refused", why, isPassing, retryAt: null };
}

/** If another worker has recorded another batch, this one is surplus. */
export async function arrive(batchContext: BatchContext, number: number, handle: BatchHandle): Promise<BatchArrival> {
  const { context: jobContext, batches } = batchContext;
  const kept = await noteArrival(jobContext, number, {
    kind: "submitted",
    handle: { id: handle.id, model: handle.model },
  });
  const isMine = kept.kind === "submitted" && kept.handle.id === handle.id;
  if (isMine) await saveBatchWaiter(batchContext, handle);
  else {
    jobContext.dependencies.log.warn(
      { job: jobContext.key, batch: handle.id },
      "a batch was submitted twice, one is cancelled",
    );
    // Deleted later, together with the batch that counts.
    await noteSurplus(jobContext, number, handle);
    await batches.cancel(handle, jobContext.signal);
  }
  return kept;
}

export async function followResults(
  batchContext: BatchContext,
  { number, intent }: SubmissionRecord,
  handle: BatchHandle,
): Promise<BatchResults | BatchWait> {
  const { context: jobContext, batches, batched } = batchContext;
  const { signal, dependencies } = jobContext;
  const progress = await batches.check(handle, { shape: batched.shape, signal });
  if (progress.kind === "unavailable") {
    dependencies.log.warn(
      { job: jobContext.key, batch: handle.id, why: progress.why },
      "the provider could not be asked about a batch",
    );
  }
  const results = resultsOf(progress, intent);
  if (results === null && dependencies.clock.now() < after(intent.at, 2 * batchMsMax)) {
    return nextLook(batchContext, intent.at, progress.kind === "unavailable" ? progress.retryAt : null);
  }
  const kept = await noteResults(jobContext, number, results ?? nothingOf(intent, "failed", batchFailures.neverEnded));
  await deleteBatchWaiter(jobContext, handle);
  for (const over of [handle, ...(await readSurplus(jobContext, number))]) await batches.forget(over, signal);
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

/** Less and less often: most batches end within the hour, and a few take the day. */
function nextLook({ context }: Pick<BatchContext, "context">, since: Instant, told: Instant | null = null): BatchWait {
  const now = context.dependencies.clock.now();
  const waitMs = Math.min(lookMsMax, Math.max(lookMsMin, (now - since) / 4));
  const at = after(now, Math.round(waitMs));
  return { kind: "waits", at: told !== null && told > at ? told : at };
}
