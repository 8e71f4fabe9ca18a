import type { ReviewJobData } from "#core/model/job.ts";
import { readBaseRules } from "#jobs/base-rules.ts";
import { hasBatch } from "#jobs/batch-log.ts";
import { keepAside } from "#jobs/choose-look.ts";
import { dropBatch } from "#jobs/drop-batch.ts";
import { againLater, endJob, finished, isPassing } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { lookAtChange } from "#jobs/look-at-change.ts";
import { waitForBatch } from "#jobs/look-by-batch.ts";
import { type LookOutcome, lookStep } from "#jobs/look-outcome.ts";
import { hasPurse } from "#jobs/purse.ts";
import { findStep } from "#jobs/remember-step.ts";
import { endRun, findRunning, type ReviewTask } from "#jobs/review-task.ts";
import { failReview, settleReview } from "#jobs/settle-review.ts";
import { openComparison } from "#observe/change.ts";
import { droppedJobKey } from "#observe/interrupted.ts";
import { ForgeError, type PullSeen } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

/** One role's look at one head. The reviewer is asked once; what it found is brought together with what is known. */
export async function runReviewJob(place: JobPlace, data: ReviewJobData): Promise<JobEnd> {
  const dropped = droppedJobKey(place.key);
  return await endJob(place, data.pull, async () =>
    dropped === null ? await review(place, data) : await drop({ ...place, key: dropped }, data),
  );
}

/** A run that somebody works on after all is left alone: whoever cancels it asks for this again. */
async function drop(place: JobPlace, data: ReviewJobData): Promise<JobEnd> {
  const { store, queue, instance } = place.parts;
  const stored = await store.findPull(pullKeyOf(instance, data.pull));
  const isWorkedOn =
    findRunning(stored?.records, data.run) !== undefined &&
    (await queue.find({ queue: "review", key: place.key })) !== undefined;
  return isWorkedOn ? finished : await dropBatch(place, data);
}

async function review(place: JobPlace, data: ReviewJobData): Promise<JobEnd> {
  const { parts } = place;
  const key = pullKeyOf(parts.instance, data.pull);
  const stored = await parts.store.findPull(key);
  const run = findRunning(stored?.records, data.run);
  if (stored === undefined || run === undefined) return await dropBatch(place, data);
  // Without a word to the forge: a batch is asked after for a day, and most of the time there is nothing new.
  const waits = await waitForBatch(place, data);
  if (waits !== null) {
    await keepAside(place, data);
    return waits;
  }
  const askedAt = parts.clock.now();
  const seen = await fetchPaidFor(place, data.pull);
  if (seen === null) return await waitForPull({ place, key, run });
  const rules = await parts.rulesOf(seen.pull);
  const task: ReviewTask = { place, data, key, run, rules, seen, askedAt };
  const role = rules.reviews.roles.find(({ name }) => name === run.role);
  const { head, base } = seen.pull;
  if (role === undefined || head.sha !== run.head || base.branch !== run.baseBranch) return await waitForHead(task);
  try {
    const compared = await openComparison(parts, data.pull, seen);
    if (compared === undefined) return await waitForHead(task);
    const inForce = await readBaseRules(place, compared, rules);
    const outcome = await lookAtChange({ place, data, run, rules: inForce.rules, seen, role, compared });
    if (outcome.kind === "waits") return outcome;
    const isSettled = await settleReview({ ...task, compared }, withNote(outcome, inForce.note), stored.records);
    // Somebody gave the run up in the last moment, and it has cost what it has cost.
    if (!isSettled) return await dropBatch(place, data);
  } catch (error) {
    if (!(error instanceof GitError) || isPassing(error, place)) throw error;
    const isPaidFor = await hasBatch(place);
    if (isPaidFor && place.attempt < paidTriesMax) throw error;
    const costMicroUsd = (await findStep(place, lookStep))?.costMicroUsd ?? 0;
    await failReview(task, { why: `Git could not tell the change: ${error.message}`, retryAt: null, costMicroUsd });
    return await endUnseen(place);
  }
  return finished;
}

/** Null: the forge does not show the pull, and something was paid for about it. Without that, nobody misses it. */
async function fetchPaidFor(place: JobPlace, pull: PullRef): Promise<PullSeen | null> {
  try {
    return await place.parts.forge.fetchPull(pull);
  } catch (error) {
    const isHidden = error instanceof ForgeError && error.kind === "not_found";
    if (isHidden && (await hasPurse(place))) return null;
    throw error;
  }
}

/** Rights that were taken away by mistake are given back within hours; begun anew, the look would be paid for twice. */
async function waitForPull(task: Pick<ReviewTask, "place" | "key" | "run">): Promise<JobEnd> {
  const { place } = task;
  if (place.attempt < paidTriesMax) return { kind: "again", at: againLater(place) };
  await endRun(task, () => ({ state: { kind: "interrupted" } }));
  return await endUnseen(place);
}

/** The run has ended without an outcome. Now its batch has to, and what was paid for has to be counted. */
async function endUnseen(place: JobPlace): Promise<JobEnd> {
  return (await hasPurse(place)) ? { kind: "waits", at: place.parts.clock.now() } : finished;
}

/** A look that failed has told nobody anything yet. */
function withNote(outcome: LookOutcome, note: string): LookOutcome {
  if (note === "" || outcome.kind === "failed") return outcome;
  return { ...outcome, summary: `${outcome.summary}\n${note}` };
}

/** What a batch has answered, or will, is worth some hours of trying. */
const paidTriesMax = 14;

/** A forge may show the past for a minute, and git may lag behind it. */
const headTriesMax = 5;

/**
 * The head of the run is not to be had. Where there is a newer one the next tick cancels the run; where there is none,
 * nobody works on it any more and it is begun anew. That would have a batch paid for twice, so with one it is waited for.
 */
async function waitForHead(task: ReviewTask): Promise<JobEnd> {
  const { place } = task;
  if (place.attempt < headTriesMax || (await hasBatch(place))) return { kind: "again", at: againLater(place) };
  await endRun(task, () => ({ state: { kind: "interrupted" } }));
  return await endUnseen(place);
}
