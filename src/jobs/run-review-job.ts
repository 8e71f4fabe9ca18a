import type { ReviewJobData } from "#core/model/job.ts";
import { againLater, endJob, finished, isPassing } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { lookAtChange } from "#jobs/look-at-change.ts";
import { endRun, findRunning, type ReviewTask } from "#jobs/review-task.ts";
import { failReview, settleReview } from "#jobs/settle-review.ts";
import { openComparison } from "#observe/change.ts";
import { GitError } from "#ports/git.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";

/** One role's look at one head. The reviewer is asked once; what it found is brought together with what is known. */
export async function runReviewJob(place: JobPlace, data: ReviewJobData): Promise<JobEnd> {
  return await endJob(place, data.pull, () => review(place, data));
}

async function review(place: JobPlace, data: ReviewJobData): Promise<JobEnd> {
  const { parts } = place;
  const key = pullKeyOf(parts.instance, data.pull);
  const stored = await parts.store.findPull(key);
  const run = findRunning(stored?.records, data.run);
  if (stored === undefined || run === undefined) return finished;
  const askedAt = parts.clock.now();
  const seen = await parts.forge.fetchPull(data.pull);
  const rules = await parts.rulesOf(seen.pull);
  const task: ReviewTask = { place, data, key, run, rules, seen, askedAt };
  const role = rules.reviews.roles.find(({ name }) => name === run.role);
  const { head, base } = seen.pull;
  if (role === undefined || head.sha !== run.head || base.branch !== run.baseBranch) return await waitForHead(task);
  try {
    const compared = await openComparison(parts, data.pull, seen);
    if (compared === undefined) return await waitForHead(task);
    const outcome = await lookAtChange({ place, run, rules, seen, role, compared });
    await settleReview({ ...task, compared }, outcome, stored.records);
  } catch (error) {
    if (!(error instanceof GitError) || isPassing(error, place)) throw error;
    await failReview(task, { why: `Git could not tell the change: ${error.message}`, retryAt: null, costMicroUsd: 0 });
  }
  return finished;
}

/** A forge may show the past for a minute, and git may lag behind it. */
const headTriesMax = 5;

/**
 * The head of the run is not to be had. Where there is a newer one the next tick cancels the run; where there is none,
 * nobody works on it any more and it is begun anew.
 */
async function waitForHead(task: ReviewTask): Promise<JobEnd> {
  const { place } = task;
  if (place.attempt < headTriesMax) return { kind: "again", at: againLater(place) };
  await endRun(task, () => ({ state: { kind: "interrupted" } }));
  return finished;
}
