import { backoffMs } from "#core/backoff.ts";
import { after, type Instant, minuteMs } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import { batchFailures } from "#core/words/pass-words.ts";
import {
  type BatchArrival,
  type BatchIntent,
  callsOf,
  noteArrival,
  noteIntent,
  readSubmissions,
  type SubmissionRecord,
  submissionsMax,
} from "#jobs/batch-submissions.ts";
import {
  arrive,
  type BatchContext,
  type BatchWait,
  followArrival,
  followResults,
  nothingOf,
} from "#jobs/follow-batch.ts";
import { confirmLease, type JobContext, throwIfLeaseLost } from "#jobs/job-context.ts";
import { type BatchAnswer, type BatchRequest, submitMsMax, tokenCharactersMax } from "#ports/batches.ts";
import { abandonEntry } from "#ports/job-entries.ts";
import type { ModelCall } from "#ports/model.ts";
import type { BatchedReviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";

export interface BatchReview {
  readonly context: JobContext;
  readonly data: ReviewJobData;
  readonly batched: BatchedReviewer;
  readonly job: ReviewJob;
  /** Told of every request that was answered, again with each review: a call's id tells which are the same. */
  readonly onCall: (call: ModelCall) => void;
}

export type BatchReviewOutcome =
  | BatchWait
  | { readonly kind: "reviewed"; readonly outcome: ReviewOutcome }
  /** Nothing came of it by batch. It is reviewed live instead, and this is said. */
  | { readonly kind: "live"; readonly why: string };

/**
 * One review in stages, each a batch that takes up to a day. Every step is recorded before and after it happens, so
 * another worker can continue; no worker waits while the provider works.
 */
export async function reviewByBatch(review: BatchReview): Promise<BatchReviewOutcome> {
  const { context: jobContext, job, batched } = review;
  for (;;) {
    await confirmLease(jobContext);
    const log = await readSubmissions(jobContext);
    const last = log.at(-1);
    const model = last?.intent.model ?? batched.modelFor(job);
    const batches = batched.batchesOf(model);
    if (batches === null) return { kind: "live", why: batchFailures.notAccepted };
    const batchContext: BatchContext = { context: jobContext, data: review.data, batched, batches };
    const step = last === undefined ? "settled" : await settle(batchContext, last);
    if (step !== "settled" && step !== "again") return step;
    if (step === "again") continue;
    const asked = await askFurther(review, batchContext, { log, model });
    if (asked !== "again") return asked;
  }
}

/** Null: nothing is with a provider. It is brought as far as it goes now. */
export async function waitForBatch(context: JobContext, data: ReviewJobData): Promise<BatchWait | null> {
  const batched = context.dependencies.reviewers.model?.batched;
  for (;;) {
    const last = (await readSubmissions(context)).at(-1);
    const batches = last === undefined ? null : (batched?.batchesOf(last.intent.model) ?? null);
    if (last === undefined || batched === undefined || batches === null) return null;
    throwIfLeaseLost(context);
    const step = await settle({ context, data, batched, batches }, last);
    if (step === "settled") return null;
    if (step !== "again") return step;
  }
}

/** Brings one submission as far as it goes now. */
async function settle(context: BatchContext, entry: SubmissionRecord): Promise<BatchWait | "settled" | "again"> {
  const arrival = entry.arrival ?? (await followArrival(context, entry));
  if (arrival.kind === "waits") return arrival;
  if (entry.arrival === undefined) return "again";
  if (arrival.kind === "refused" || entry.results !== undefined) return "settled";
  const results = await followResults(context, entry, arrival.handle);
  return "kind" in results ? results : "again";
}

/** Tries at one stage that were refused for a reason that may pass. */
const refusalsMax = 5;

interface Asking {
  readonly log: readonly SubmissionRecord[];
  readonly model: string | null;
}

async function askFurther(
  review: BatchReview,
  context: BatchContext,
  { log, model }: Asking,
): Promise<BatchReviewOutcome | "again"> {
  const { job, batched } = review;
  for (const call of callsOf(log)) review.onCall(call);
  const answers = answersIn(log);
  const next = await batched.next(job, answers);
  if (next.kind === "done") return conclude(next.outcome, lastFailure(log));
  const refusals = log.slice(log.findLastIndex(({ arrival }) => arrival?.kind === "submitted") + 1);
  const refusal = lastRefusal(refusals);
  if (log.length >= submissionsMax || refusal?.isPassing === false || refusals.length >= refusalsMax) {
    // Earlier answers are worth keeping; the rest counts as unanswered.
    const unanswered = nothingOf({ requests: next.requests }, "failed", null).answers;
    const end = await batched.next(job, [...answers, ...unanswered]);
    const why = refusal?.why ?? batchFailures.tooMany;
    return end.kind === "done" ? conclude(end.outcome, why) : { kind: "live", why };
  }
  const at = refusal === null ? null : pauseEnd(refusal, refusals.length);
  if (at !== null && review.context.dependencies.clock.now() < at) return { kind: "waits", at };
  return await submit(context, { number: log.length + 1, model, requests: next.requests });
}

/** A review of which nothing at all came back is held live; one of which something did, is what it is. */
function conclude(outcome: ReviewOutcome, failure: string | null): BatchReviewOutcome {
  return outcome.kind === "failed" ? { kind: "live", why: failure ?? outcome.why } : { kind: "reviewed", outcome };
}

/** The last word on each request. What was not answered because Drover itself stopped it has not been asked. */
function answersIn(log: readonly SubmissionRecord[]): readonly BatchAnswer[] {
  const answers = log.flatMap(({ isCancelled, results }) =>
    (results?.answers ?? []).filter((answer) => !isCancelled || answer.kind !== "unanswered"),
  );
  return [...new Map(answers.map((answer) => [answer.id, answer])).values()];
}

function lastFailure(log: readonly SubmissionRecord[]): string | null {
  return log.findLast(({ results }) => (results?.failure ?? null) !== null)?.results?.failure ?? null;
}

interface Refusal extends Extract<BatchArrival, { readonly kind: "refused" }> {
  readonly at: Instant;
}

function lastRefusal(refusals: readonly SubmissionRecord[]): Refusal | null {
  const last = refusals.at(-1);
  return last?.arrival?.kind === "refused" ? { ...last.arrival, at: last.intent.at } : null;
}

const refusedPauseMs = minuteMs;

/** When it may be tried again: as the provider said, or after a pause that doubles. */
function pauseEnd({ at, retryAt }: Refusal, count: number): Instant {
  const own = after(at, backoffMs({ attempt: count, firstMs: refusedPauseMs }));
  return retryAt !== null && retryAt > own ? retryAt : own;
}

interface Submission {
  readonly number: number;
  readonly model: string | null;
  readonly requests: readonly BatchRequest[];
}

/** Recorded first, so that it is searched for if its response is lost; then sent, once. */
async function submit(
  batchContext: BatchContext,
  { number, model, requests }: Submission,
): Promise<BatchWait | "again"> {
  const { context: jobContext, batches } = batchContext;
  const { clock, random } = jobContext.dependencies;
  const token = random.token().slice(0, tokenCharactersMax);
  const made: BatchIntent = {
    token,
    at: clock.now(),
    model,
    requests: requests.map(({ id, purpose }) => ({ id, purpose })),
  };
  await confirmLease(jobContext);
  const intent = await noteIntent(jobContext, number, made);
  // Another worker has been faster: it is its submission.
  if (intent.token !== token) return "again";
  await confirmLease(jobContext);
  const until = after(intent.at, submitMsMax);
  const submitted = await batches.submit({ token, requests, until, signal: jobContext.signal });
  switch (submitted.kind) {
    case "submitted":
      await arrive(batchContext, number, submitted.handle);
      return await abandonIfLost(batchContext);
    case "refused":
      await noteArrival(jobContext, number, submitted);
      return "again";
    case "unknown":
      jobContext.dependencies.log.warn(
        { job: jobContext.key, why: submitted.why },
        "it is unknown whether a batch arrived",
      );
      return "again";
    default:
      return never(submitted);
  }
}

/** A worker that has lost the job meanwhile drops the submission if the run is not needed either. */
async function abandonIfLost({ context, data }: BatchContext): Promise<"again"> {
  if (context.signal.aborted) {
    const { instance, queue } = context.dependencies;
    await queue.put(abandonEntry(instance, data, { at: null, priority: 3 }));
  }
  return "again";
}
