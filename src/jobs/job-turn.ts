import type { Outcome } from "#act/effect.ts";
import { changeRecords, startTurn, type Turn } from "#act/turn.ts";
import { type Instant, minuteMs } from "#core/model/instant.ts";
import { againLater, finished, stopIfLost } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** A job looks at the pull as it is now, and ends if that cannot be told: an entry of the queue may be hours old. */
export async function withTurn(place: JobPlace, pull: PullRef, work: (turn: Turn) => Promise<JobEnd>): Promise<JobEnd> {
  const look = await place.observer.look(pull);
  if (look.kind === "stale") return { kind: "again", at: look.retryAt };
  stopIfLost(place);
  // Whatever has to be looked at again is said by the job's end.
  const turn = startTurn(place.parts, look.observed, { leaseUntil: place.leaseUntil, lookAgain: () => undefined });
  return await work(turn);
}

/** What the forge has not got yet is sent again by the same job, with the words that it remembers. */
export function endAfter(outcome: Outcome): JobEnd {
  return outcome.kind === "done" ? finished : { kind: "again", at: outcome.at };
}

/** Counted once for each step, and rather twice than never should a crash come in between. */
export async function countCost(place: JobPlace, turn: Turn, step: string, costMicroUsd: number): Promise<void> {
  if (costMicroUsd === 0) return;
  const name = { job: place.key, step: `${step} counted` };
  if ((await place.parts.store.findStep(name)) !== undefined) return;
  stopIfLost(place);
  await spend(turn, costMicroUsd);
  await place.parts.store.saveStep(name, true);
}

/** Of a step that asks somebody outside. Attempts of the job do not count: it may have waited for other things. */
const failuresMax = 3;
/** Where people wait for an answer: a model that wants to be asked again only later has failed for now, and they are told. */
export const patienceMsMax = 5 * minuteMs;

/** How often a step has failed so far, as far as it was tried again. */
export async function failuresOf({ parts, key }: JobPlace, step: string): Promise<number> {
  for (let count = 1; count < failuresMax; count++) {
    if ((await parts.store.findStep({ job: key, step: `${step} failed ${count}` })) === undefined) return count - 1;
  }
  return failuresMax - 1;
}

/** Tries a step that failed once more, a limited number of times; null: that was the last one. It has cost something all the same. */
export async function tryAgain(
  place: JobPlace,
  turn: Turn,
  failure: { readonly step: string; readonly retryAt: Instant | null; readonly costMicroUsd: number },
  waitMsMax = Number.POSITIVE_INFINITY,
): Promise<Again | null> {
  const { store, clock, triesMax = failuresMax } = place.parts;
  if (failure.retryAt !== null && failure.retryAt - clock.now() > waitMsMax) return null;
  for (let count = 1; count < Math.min(failuresMax, triesMax); count++) {
    const name = { job: place.key, step: `${failure.step} failed ${count}` };
    if ((await store.findStep(name)) !== undefined) continue;
    stopIfLost(place);
    await spend(turn, failure.costMicroUsd);
    await store.saveStep(name, true);
    return { kind: "again", at: againLater(place, failure.retryAt) };
  }
  return null;
}

export type Again = Extract<JobEnd, { readonly kind: "again" }>;

async function spend(turn: Turn, costMicroUsd: number): Promise<void> {
  if (costMicroUsd === 0) return;
  await changeRecords(turn, (records) => ({ ...records, spentMicroUsd: records.spentMicroUsd + costMicroUsd }));
}
