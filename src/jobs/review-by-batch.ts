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
  /** Called again with each review: a call's id identifies repetitions. */
  readonly onCall: (call: ModelCall) => void;
}

export type BatchReviewOutcome =
  | BatchWait
  | { readonly kind: "reviewed"; readonly outcome: ReviewOutcome }
  /** Batches failed, so it is reviewed live, and `why` is told. */
  | { readonly kind: "live"; readonly why: string };

/** Stages, each a batch of up to a day. Recorded steps let any worker continue; none waits for the provider. */
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

async function settle(context: BatchContext, entry: SubmissionRecord): Promise<BatchWait | "settled" | "again"> {
  const arrival = entry.arrival ?? (await followArrival(context, entry));
  if (arrival.kind === "waits") return arrival;
  if (entry.arrival === undefined) return "again";
  if (arrival.kind === "refused" || entry.results !== undefined) return "settled";
  const results = await followResults(context, entry, arrival.handle);
  return "kind" in results ? results : "again";
}

/** Refusals of one stage for a reason that may pass. */
const refusalsMax = 5;

async function askFurther(
  review: BatchReview,
  context: BatchContext,
  { log, model }: { readonly log: readonly SubmissionRecord[]; readonly model: string | null },
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

/** With no result at all it is reviewed live. A partial result stays as it is. */
function conclude(outcome: ReviewOutcome, failure: string | null): BatchReviewOutcome {
  return outcome.kind === "failed" ? { kind: "live", why: failure ?? outcome.why } : { kind: "reviewed", outcome };
}

/** The last answer to each request. A request that Drover itself stopped counts as never asked. */
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

function pauseEnd({ at, retryAt }: Refusal, count: number): Instant {
  const own = after(at, backoffMs({ attempt: count, firstMs: refusedPauseMs }));
  return retryAt !== null && retryAt > own ? retryAt : own;
}

interface Submission {
  readonly number: number;
  readonly model: string | null;
  readonly requests: readonly BatchRequest[];
}

/** Recorded before it is sent, so that it can be searched for if its response is lost. */
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
  // Another worker recorded its submission first.
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

/** A worker that has lost the job drops the submission if the run is not needed either. */
async function abandonIfLost({ context, data }: BatchContext): Promise<"again"> {
  if (context.signal.aborted) {
    const { instance, queue } = context.dependencies;
    await queue.put(abandonEntry(instance, data, { at: null, priority: 3 }));
  }
  return "again";
}
