import type { ReviewJobData } from "#core/model/job.ts";
import { abandonRun } from "#jobs/abandon-run.ts";
import { hasBatch } from "#jobs/batch-submissions.ts";
import { hasBudgetAccount } from "#jobs/budget-account.ts";
import { renewReservation } from "#jobs/choose-review-offer.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { type PassOutcome, passStep } from "#jobs/pass-outcome.ts";
import { findStep } from "#jobs/remember-step.ts";
import { waitForBatch } from "#jobs/review-by-batch.ts";
import { reviewInRole } from "#jobs/review-in-role.ts";
import { readRulesInForce } from "#jobs/rules-in-force.ts";
import { finished, isTransient, nextAttemptAt, runJob } from "#jobs/run-job.ts";
import { endRun, findRunningReview, type RunningReview } from "#jobs/running-review.ts";
import { failReview, settleReview } from "#jobs/settle-review.ts";
import { openComparison } from "#observe/change-facts.ts";
import { abandonedJobKey } from "#observe/interrupted.ts";
import { type FetchedPull, ForgeError } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

/** One role's look at one head. The reviewer is asked once; what it found is brought together with what is known. */
export async function runReviewJob(context: JobContext, data: ReviewJobData): Promise<JobOutcome> {
  const dropped = abandonedJobKey(context.key);
  return await runJob(context, data.pull, async () =>
    dropped === null ? await review(context, data) : await drop({ ...context, key: dropped }, data),
  );
}

/** A run that a worker still runs is left alone: its cancellation asks for this again. */
async function drop(context: JobContext, data: ReviewJobData): Promise<JobOutcome> {
  const { store, queue, instance } = context.dependencies;
  const stored = await store.findPull(pullKeyOf(instance, data.pull));
  const isWorkedOn =
    findRunningReview(stored?.records, data.run) !== undefined &&
    (await queue.find({ queue: "review", key: context.key })) !== undefined;
  return isWorkedOn ? finished : await abandonRun(context, data);
}

async function review(context: JobContext, data: ReviewJobData): Promise<JobOutcome> {
  const { dependencies } = context;
  const key = pullKeyOf(dependencies.instance, data.pull);
  const stored = await dependencies.store.findPull(key);
  const run = findRunningReview(stored?.records, data.run);
  if (stored === undefined || run === undefined) return await abandonRun(context, data);
  // Without a word to the forge: a batch is asked after for a day, and most of the time there is nothing new.
  const waits = await waitForBatch(context, data);
  if (waits !== null) {
    await renewReservation(context, data);
    return waits;
  }
  const askedAt = dependencies.clock.now();
  const seen = await fetchPaidFor(context, data.pull);
  if (seen === null) return await waitForPull({ context, key, run });
  const rules = await dependencies.rulesOf(seen.pull);
  const task: RunningReview = { context, data, key, run, rules, seen, askedAt };
  const role = rules.reviews.roles.find(({ name }) => name === run.role);
  const { head, base } = seen.pull;
  if (role === undefined || head.sha !== run.head || base.branch !== run.baseBranch) return await waitForHead(task);
  try {
    const compared = await openComparison(dependencies, data.pull, seen);
    if (compared === undefined) return await waitForHead(task);
    const inForce = await readRulesInForce(context, compared, rules);
    const outcome = await reviewInRole({ context, data, run, rules: inForce.rules, seen, role, compared });
    if (outcome.kind === "waits") return outcome;
    const isSettled = await settleReview({ ...task, compared }, withNote(outcome, inForce.note), stored.records);
    // The run was given up in the last moment, and its cost stays.
    if (!isSettled) return await abandonRun(context, data);
  } catch (error) {
    if (!(error instanceof GitError) || isTransient(error, context)) throw error;
    const isPaidFor = await hasBatch(context);
    if (isPaidFor && context.attempt < paidTriesMax) throw error;
    const costMicroUsd = (await findStep(context, passStep))?.costMicroUsd ?? 0;
    await failReview(task, { why: `Git could not tell the change: ${error.message}`, retryAt: null, costMicroUsd });
    return await endUnseen(context);
  }
  return finished;
}

/** Null: the forge does not show the pull, and something was paid for it. Otherwise the run is not missed. */
async function fetchPaidFor(context: JobContext, pull: PullRef): Promise<FetchedPull | null> {
  try {
    return await context.dependencies.forge.fetchPull(pull);
  } catch (error) {
    const isHidden = error instanceof ForgeError && error.kind === "not_found";
    if (isHidden && (await hasBudgetAccount(context))) return null;
    throw error;
  }
}

/** Rights that were taken away by mistake are given back within hours; begun anew, the look would be paid for twice. */
async function waitForPull(task: Pick<RunningReview, "context" | "key" | "run">): Promise<JobOutcome> {
  const { context } = task;
  if (context.attempt < paidTriesMax) return { kind: "again", at: nextAttemptAt(context) };
  await endRun(task, () => ({ state: { kind: "interrupted" } }));
  return await endUnseen(context);
}

/** The run has ended without an outcome. Now its batch has to, and what was paid for has to be counted. */
async function endUnseen(context: JobContext): Promise<JobOutcome> {
  return (await hasBudgetAccount(context)) ? { kind: "waits", at: context.dependencies.clock.now() } : finished;
}

/** A failed review has reported nothing yet. */
function withNote(outcome: PassOutcome, note: string): PassOutcome {
  if (note === "" || outcome.kind === "failed") return outcome;
  return { ...outcome, summary: `${outcome.summary}\n${note}` };
}

/** What a batch has answered, or will, is worth some hours of trying. */
const paidTriesMax = 14;

/** A forge may show the past for a minute, and git may lag behind it. */
const headTriesMax = 5;

/**
 * The head of the run cannot be read. If there is a newer one, the next tick cancels the run; if not, the run has no
 * worker any more and is restarted. That would pay for a batch twice, so a run with a batch waits for the head.
 */
async function waitForHead(task: RunningReview): Promise<JobOutcome> {
  const { context } = task;
  if (context.attempt < headTriesMax || (await hasBatch(context))) return { kind: "again", at: nextAttemptAt(context) };
  await endRun(task, () => ({ state: { kind: "interrupted" } }));
  return await endUnseen(context);
}
