import { z } from "zod";
import { changeRecords } from "#act/turn.ts";
import { runSubject } from "#core/blocks/block.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import { type BatchEntry, noteCancelled, readBatchLog } from "#jobs/batch-log.ts";
import { finished, stopIfLost } from "#jobs/end-job.ts";
import { type Following, followArrival, followResults, type Waits } from "#jobs/follow-batch.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { hasPurse, openPurse } from "#jobs/purse.ts";
import { findStep } from "#jobs/remember-step.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";

/**
 * The run of this job is not wanted any more, or has ended. A batch that is still with the provider is cancelled, and what
 * the look has cost by then is counted, once; a job that has asked nobody has nothing to count.
 */
export async function dropBatch(place: JobPlace, data: ReviewJobData): Promise<JobEnd> {
  const last = (await readBatchLog(place)).at(-1);
  const waits = last === undefined ? null : await endBatch(place, data, last);
  if (waits !== null) return waits;
  if (await hasPurse(place)) await charge(place, data);
  else await noteUnpaid(place, data);
  await place.parts.store.forgetSteps(place.key);
  return finished;
}

async function endBatch(place: JobPlace, data: ReviewJobData, last: BatchEntry): Promise<Waits | null> {
  const batched = place.parts.reviewers.model?.batched;
  const batches = batched?.batchesOf(last.intent.model) ?? null;
  if (batched !== undefined && batches !== null) return await end({ place, data, batched, batches }, last);
  place.parts.log.warn({ job: place.key }, "a batch is left to its provider: its model is not configured any more");
  return null;
}

/** Null: it has ended, or never began. */
async function end(following: Following, entry: BatchEntry): Promise<Waits | null> {
  const { place, batches } = following;
  const arrival = entry.arrival ?? (await followArrival(following, entry));
  if (arrival.kind === "waits") return arrival;
  if (arrival.kind === "refused" || entry.results !== undefined) return null;
  stopIfLost(place);
  await noteCancelled(place, entry.number);
  const cancelled = await batches.cancel(arrival.handle, place.signal);
  if (cancelled.kind === "unavailable") {
    place.parts.log.warn({ job: place.key, why: cancelled.why }, "a batch could not be cancelled yet");
  }
  const results = await followResults(following, entry, arrival.handle);
  return "kind" in results ? results : null;
}

/**
 * Whoever counts what a stranger's pull has cost must know that this run has cost nothing; also where whoever took its job
 * away died before writing down why, so that it still looks as if it were under way.
 */
async function noteUnpaid({ parts }: JobPlace, { pull, run }: ReviewJobData): Promise<void> {
  const key = pullKeyOf(parts.instance, pull);
  const subject = runSubject(run);
  const isUnknown = (one: ReviewRun): boolean =>
    runSubject(one) === subject &&
    (one.state.kind === "cancelled" || one.state.kind === "running") &&
    one.droppedMicroUsd === undefined;
  const stored = await parts.store.findPull(key);
  if (stored?.records.runs.some(isUnknown) !== true) return;
  await changeRecords({ parts, key }, (records) => ({
    ...records,
    runs: records.runs.map((one) => (isUnknown(one) ? { ...one, state: endedState(one), droppedMicroUsd: 0 } : one)),
  }));
}

/** Nobody works on a run whose job is gone, whatever the records say. */
function endedState({ state }: ReviewRun): ReviewRun["state"] {
  return state.kind === "running" ? { kind: "interrupted" } : state;
}

/** In one transaction with the mark that it was done: however often this is repeated, it counts once. */
async function charge(place: JobPlace, data: ReviewJobData): Promise<void> {
  const { pull, run } = data;
  const purse = await openPurse(place, { pull, head: run.head, role: run.role });
  for (const { intent, results } of await readBatchLog(place)) {
    const purposes = new Map(intent.requests.map(({ id, purpose }) => [id, purpose]));
    for (const { id, call } of results?.answers ?? []) {
      const purpose = purposes.get(id);
      if (purpose !== undefined && call.id !== undefined) purse.onCall({ ...call, purpose });
    }
  }
  const costMicroUsd = await purse.settle();
  const isSettled = (await findStep(place, { name: "look", schema: z.unknown() })) !== undefined;
  stopIfLost(place);
  // A run that was begun anew has taken the place of this one in the records: then this alone keeps it from counting twice.
  const isFirst = (await findStep(place, countedStep)) === undefined;
  await place.parts.store.saveStep({ job: place.key, step: countedStep.name }, true);
  await changeRecords({ parts: place.parts, key: pullKeyOf(place.parts.instance, pull) }, (records) =>
    charged(records, { run, costMicroUsd, isSettled, isFirst }),
  );
}

const countedStep = { name: "dropped counted", schema: z.literal(true) } as const;

interface Charge {
  readonly run: ReviewRun;
  readonly costMicroUsd: number;
  /** Whether the look came to an outcome, which is counted together with the end of its run. */
  readonly isSettled: boolean;
  /** Nobody has come so far before. */
  readonly isFirst: boolean;
}

function charged(records: Records, { run, costMicroUsd, isSettled, isFirst }: Charge): Records {
  const subject = runSubject(run);
  const known = records.runs.find((one) => runSubject(one) === subject);
  // Begun anew, it has taken the place of this one. A look that came to an outcome was counted before that.
  if (known === undefined)
    return isFirst && !isSettled ? { ...records, spentMicroUsd: records.spentMicroUsd + costMicroUsd } : records;
  if (known.droppedMicroUsd !== undefined || isCounted(known, isSettled)) return records;
  const state = endedState(known);
  // Somebody was asked and never came to an answer. That nobody heard of a bill does not make it free: else whoever has
  // each look cancelled half-way could have any number of them.
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
