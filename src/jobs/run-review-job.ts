import type { ReviewJobData, ReviewQueueData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import { passWords } from "#core/words/pass-words.ts";
import { abandonRun, abandonUnneededRun } from "#jobs/abandon-run.ts";
import { hasBatch } from "#jobs/batch-submissions.ts";
import { hasBudgetAccount } from "#jobs/budget-account.ts";
import { renewReservation } from "#jobs/choose-review-offer.ts";
import type { BatchWait } from "#jobs/follow-batch.ts";
import { finished, type JobContext, type JobOutcome } from "#jobs/job-context.ts";
import { isTransient, nextAttemptAt } from "#jobs/job-retries.ts";
import { type PassOutcome, passStep } from "#jobs/pass-outcome.ts";
import { findStep } from "#jobs/remember-step.ts";
import { waitForBatch } from "#jobs/review-by-batch.ts";
import { reviewInRole } from "#jobs/review-in-role.ts";
import { readRulesInForce } from "#jobs/rules-in-force.ts";
import { runJob } from "#jobs/run-job.ts";
import { endRun, findRunningReview, type RunningReview } from "#jobs/running-review.ts";
import { failReview, settleReview } from "#jobs/settle-review.ts";
import { openComparison } from "#observe/change-facts.ts";
import { type FetchedPull, ForgeError } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";
import { readReviewEntry } from "#ports/job-entries.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

export async function runReviewJob(context: JobContext, queued: ReviewQueueData): Promise<JobOutcome> {
  const job = readReviewEntry(context.dependencies.instance, context.key, queued);
  return await runJob(context, queued.pull, async () =>
    job.kind === "abandon" ? await abandonUnneededRun(context, job) : await review(context, job.data),
  );
}

type ReviewExit =
  | { readonly kind: "settled" }
  | { readonly kind: "unneeded" }
  | BatchWait
  | { readonly kind: "unseen"; readonly run: SeenRun; readonly mayRetry: boolean }
  | { readonly kind: "failed"; readonly run: RunningReview; readonly why: string };

type SeenRun = Pick<RunningReview, "context" | "key" | "run">;

async function review(context: JobContext, data: ReviewJobData): Promise<JobOutcome> {
  const exit = await reviewOnce(context, data);
  switch (exit.kind) {
    case "settled":
      return finished;
    case "unneeded":
      return await abandonRun(context, data);
    case "waits":
      return exit;
    case "unseen":
      if (exit.mayRetry) return { kind: "again", at: nextAttemptAt(context) };
      await endRun(exit.run, () => ({ state: { kind: "interrupted" } }));
      return await afterNoOutcome(context);
    case "failed": {
      const costMicroUsd = (await findStep(context, passStep))?.costMicroUsd ?? 0;
      await failReview(exit.run, { why: exit.why, retryAt: null, costMicroUsd });
      return await afterNoOutcome(context);
    }
    default:
      return never(exit);
  }
}

/** The reviewer is asked once; its findings are merged with the known ones. */
async function reviewOnce(context: JobContext, data: ReviewJobData): Promise<ReviewExit> {
  const { dependencies } = context;
  const key = pullKeyOf(dependencies.instance, data.pull);
  const stored = await dependencies.store.findPull(key);
  const run = findRunningReview(stored?.records, data.run);
  if (stored === undefined || run === undefined) return { kind: "unneeded" };
  // Before any call to the forge: a batch is checked for a day, mostly without news.
  const waits = await waitForBatch(context, data);
  if (waits !== null) {
    await renewReservation(context, data);
    return waits;
  }
  const askedAt = dependencies.clock.now();
  const seen = await fetchPaidFor(context, data.pull);
  if (seen === null) return { kind: "unseen", run: { context, key, run }, mayRetry: context.attempt < paidTriesMax };
  const rules = await dependencies.rulesOf(seen.pull);
  const task: RunningReview = { context, data, key, run, rules, seen, askedAt };
  const role = rules.reviews.roles.find(({ name }) => name === run.role);
  const { head, base } = seen.pull;
  if (role === undefined || head.sha !== run.head || base.branch !== run.baseBranch) return await headUnseen(task);
  try {
    const compared = await openComparison(dependencies, data.pull, seen);
    if (compared === undefined) return await headUnseen(task);
    const inForce = await readRulesInForce(context, compared, rules);
    const outcome = await reviewInRole({ context, data, run, rules: inForce.rules, seen, role, compared });
    if (outcome.kind === "waits") return outcome;
    const isSettled = await settleReview({ ...task, compared }, withNote(outcome, inForce.note), stored.records);
    // If the run was cancelled in the last moment, its cost still has to be counted.
    return { kind: isSettled ? "settled" : "unneeded" };
  } catch (error) {
    if (!(error instanceof GitError) || isTransient(error, context)) throw error;
    if ((await hasBatch(context)) && context.attempt < paidTriesMax) throw error;
    return { kind: "failed", run: task, why: passWords.gitFailed(error.message) };
  }
}

/** Null: the pull is hidden, and something was paid. Rights removed by mistake come back within hours. */
async function fetchPaidFor(context: JobContext, pull: PullRef): Promise<FetchedPull | null> {
  try {
    return await context.dependencies.forge.fetchPull(pull);
  } catch (error) {
    const isHidden = error instanceof ForgeError && error.kind === "not_found";
    if (isHidden && (await hasBudgetAccount(context))) return null;
    throw error;
  }
}

/** The answers of a batch are worth some hours of trying. */
const paidTriesMax = 14;

/** A forge may show the past for a minute, and git may lag behind it. */
const headTriesMax = 5;

/** The next tick cancels the run or restarts it. A restart would pay for a batch twice, so with a batch it waits. */
async function headUnseen(run: RunningReview): Promise<ReviewExit> {
  const { context } = run;
  return { kind: "unseen", run, mayRetry: context.attempt < headTriesMax || (await hasBatch(context)) };
}

/** The next turn ends its batch and counts the cost. */
async function afterNoOutcome(context: JobContext): Promise<JobOutcome> {
  return (await hasBudgetAccount(context)) ? { kind: "waits", at: context.dependencies.clock.now() } : finished;
}

/** A failed review has reported nothing yet. */
function withNote(outcome: PassOutcome, note: string): PassOutcome {
  if (note === "" || outcome.kind === "failed") return outcome;
  return { ...outcome, summary: `${outcome.summary}\n${note}` };
}
