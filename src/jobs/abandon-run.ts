import { z } from "zod";
import { changeRecords } from "#act/pull-context.ts";
import { runSubject } from "#core/blocks/block.ts";
import type { AbandonJobData, ReviewJobData } from "#core/model/job.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import { callsOf, noteCancelled, readSubmissions, type SubmissionRecord } from "#jobs/batch-submissions.ts";
import { hasBudgetAccount, openBudgetAccount } from "#jobs/budget-account.ts";
import { type BatchContext, type BatchWait, followArrival, followResults } from "#jobs/follow-batch.ts";
import { finished, type JobContext, type JobOutcome, throwIfLeaseLost } from "#jobs/job-context.ts";
import { findStep } from "#jobs/remember-step.ts";
import { findRunningReview } from "#jobs/running-review.ts";
import { reviewJobKey } from "#ports/job-entries.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";

/** A run that a worker still runs is left alone: its cancellation asks for this again. */
export async function abandonUnneededRun(context: JobContext, { pull, run }: AbandonJobData): Promise<JobOutcome> {
  const { store, queue, instance } = context.dependencies;
  const pullKey = pullKeyOf(instance, pull);
  const reviewKey = reviewJobKey(pullKey, run);
  const stored = await store.findPull(pullKey);
  const isWorkedOn =
    findRunningReview(stored?.records, run) !== undefined &&
    (await queue.find({ queue: "review", key: reviewKey })) !== undefined;
  if (isWorkedOn) return finished;
  // The cost is stored under the key of the review.
  return await abandonRun({ ...context, key: reviewKey }, { pull, run, attempt: 1 });
}

/** Cancels a batch that the provider still has, and counts the cost once. Without a paid call nothing is counted. */
export async function abandonRun(context: JobContext, data: ReviewJobData): Promise<JobOutcome> {
  const last = (await readSubmissions(context)).at(-1);
  const waits = last === undefined ? null : await endBatch(context, data, last);
  if (waits !== null) return waits;
  if (await hasBudgetAccount(context)) await charge(context, data);
  else await noteUnpaid(context, data);
  await context.dependencies.store.forgetSteps(context.key);
  return finished;
}

async function endBatch(context: JobContext, data: ReviewJobData, last: SubmissionRecord): Promise<BatchWait | null> {
  const batched = context.dependencies.reviewers.model?.batched;
  const batches = batched?.batchesOf(last.intent.model) ?? null;
  if (batched !== undefined && batches !== null) return await end({ context, data, batched, batches }, last);
  context.dependencies.log.warn(
    { job: context.key },
    "a batch is left to its provider: its model is not configured any more",
  );
  return null;
}

async function end(batchContext: BatchContext, entry: SubmissionRecord): Promise<BatchWait | null> {
  const { context: jobContext, batches } = batchContext;
  const arrival = entry.arrival ?? (await followArrival(batchContext, entry));
  if (arrival.kind === "waits") return arrival;
  if (arrival.kind === "refused" || entry.results !== undefined) return null;
  throwIfLeaseLost(jobContext);
  await noteCancelled(jobContext, entry.number);
  const cancelled = await batches.cancel(arrival.handle, jobContext.signal);
  if (cancelled.kind === "unavailable") {
    jobContext.dependencies.log.warn({ job: jobContext.key, why: cancelled.why }, "a batch could not be cancelled yet");
  }
  const results = await followResults(batchContext, entry, arrival.handle);
  return "kind" in results ? results : null;
}

/** An outsider's quota counts unknown costs. The worker may have crashed before it recorded that this run was free. */
async function noteUnpaid({ dependencies }: JobContext, { pull, run }: ReviewJobData): Promise<void> {
  const key = pullKeyOf(dependencies.instance, pull);
  const subject = runSubject(run);
  const isUnknown = (one: ReviewRun): boolean =>
    runSubject(one) === subject &&
    (one.state.kind === "cancelled" || one.state.kind === "running") &&
    one.droppedMicroUsd === undefined;
  const stored = await dependencies.store.findPull(key);
  if (stored?.records.runs.some(isUnknown) !== true) return;
  await changeRecords({ dependencies, key }, (records) => ({
    ...records,
    runs: records.runs.map((one) => (isUnknown(one) ? { ...one, state: endedState(one), droppedMicroUsd: 0 } : one)),
  }));
}

/** A run without a job has no worker, even if the records say so. */
function endedState({ state }: ReviewRun): ReviewRun["state"] {
  return state.kind === "running" ? { kind: "interrupted" } : state;
}

/** In one transaction with the mark that it was done: however often this is repeated, it counts once. */
async function charge(context: JobContext, data: ReviewJobData): Promise<void> {
  const { pull, run } = data;
  const account = await openBudgetAccount(context, { pull, head: run.head, role: run.role });
  for (const call of callsOf(await readSubmissions(context))) account.onCall(call);
  const costMicroUsd = await account.settle();
  const isSettled = (await findStep(context, { name: "look", schema: z.unknown() })) !== undefined;
  throwIfLeaseLost(context);
  // A restarted run replaces this one in the records, so the step has to prevent a second count.
  const isFirst = (await findStep(context, countedStep)) === undefined;
  await context.dependencies.store.saveStep({ job: context.key, step: countedStep.name }, true);
  await changeRecords(
    { dependencies: context.dependencies, key: pullKeyOf(context.dependencies.instance, pull) },
    (records) => charged(records, { run, costMicroUsd, isSettled, isFirst }),
  );
}

const countedStep = { name: "dropped counted", schema: z.literal(true) } as const;

interface Charge {
  readonly run: ReviewRun;
  readonly costMicroUsd: number;
  /** Whether the review had an outcome, whose cost the end of the run counts. */
  readonly isSettled: boolean;
  readonly isFirst: boolean;
}

function charged(records: Records, { run, costMicroUsd, isSettled, isFirst }: Charge): Records {
  const subject = runSubject(run);
  const known = records.runs.find((one) => runSubject(one) === subject);
  // A restart has replaced it. A review with an outcome was counted before that.
  if (known === undefined)
    return isFirst && !isSettled ? { ...records, spentMicroUsd: records.spentMicroUsd + costMicroUsd } : records;
  if (known.droppedMicroUsd !== undefined || isCounted(known, isSettled)) return records;
  const state = endedState(known);
  // An unknown cost counts against the quota: else a person could cancel any number of reviews half-way.
  const isUnknown = costMicroUsd === 0 && !isSettled;
  const ended = isUnknown ? { state } : { state, droppedMicroUsd: costMicroUsd };
  return {
    ...records,
    spentMicroUsd: records.spentMicroUsd + costMicroUsd,
    runs: records.runs.map((one) => (one === known ? { ...one, ...ended } : one)),
  };
}

function isCounted({ state }: ReviewRun, isSettled: boolean): boolean {
  return state.kind === "completed" || (state.kind === "failed" && isSettled);
}
