import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { backoffMs } from "#core/backoff.ts";
import { after, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import { type JobContext, type JobOutcome, throwIfLeaseLost } from "#jobs/job-context.ts";
import type { GitError } from "#ports/git.ts";

const pauseMsMax = hourMs;

export function nextAttemptAt({ dependencies, attempt }: JobContext, told: Instant | null = null): Instant {
  const waitMs = backoffMs({ attempt, firstMs: 2 * dependencies.durations.retryMs, maxMs: pauseMsMax });
  return told ?? after(dependencies.clock.now(), waitMs);
}

const gitTriesMax = 5;

/** What git itself refuses, it refuses the next time too. */
export function isTransient({ kind }: GitError, { attempt, signal }: JobContext): boolean {
  const isWorld = kind === "unavailable" || kind === "timeout" || kind === "cancelled";
  return signal.aborted || (isWorld && attempt < gitTriesMax);
}

/** Counted once for each step; after a crash in between rather twice than never. */
export async function addCostOnce(
  jobContext: JobContext,
  pullContext: PullContext,
  step: string,
  costMicroUsd: number,
): Promise<void> {
  if (costMicroUsd === 0) return;
  const name = { job: jobContext.key, step: `${step} counted` };
  if ((await jobContext.dependencies.store.findStep(name)) !== undefined) return;
  throwIfLeaseLost(jobContext);
  await spend(pullContext, costMicroUsd);
  await jobContext.dependencies.store.saveStep(name, true);
}

/** Attempts of one step. Those of the job do not count: it may have waited for other things. */
const failuresMax = 3;
/** People wait for the answer: a model that asks for a longer pause has failed for now. */
export const patienceMsMax = 5 * minuteMs;

export async function countFailures({ dependencies, key }: JobContext, step: string): Promise<number> {
  for (let count = 1; count < failuresMax; count++) {
    if ((await dependencies.store.findStep({ job: key, step: `${step} failed ${count}` })) === undefined)
      return count - 1;
  }
  return failuresMax - 1;
}

export async function retryStep(
  jobContext: JobContext,
  pullContext: PullContext,
  failure: { readonly step: string; readonly retryAt: Instant | null; readonly costMicroUsd: number },
  waitMsMax = Number.POSITIVE_INFINITY,
): Promise<RetryLater | null> {
  const { store, clock, triesMax = failuresMax } = jobContext.dependencies;
  if (failure.retryAt !== null && failure.retryAt - clock.now() > waitMsMax) return null;
  for (let count = 1; count < Math.min(failuresMax, triesMax); count++) {
    const name = { job: jobContext.key, step: `${failure.step} failed ${count}` };
    if ((await store.findStep(name)) !== undefined) continue;
    throwIfLeaseLost(jobContext);
    await spend(pullContext, failure.costMicroUsd);
    await store.saveStep(name, true);
    return { kind: "again", at: nextAttemptAt(jobContext, failure.retryAt) };
  }
  return null;
}

export type RetryLater = Extract<JobOutcome, { readonly kind: "again" }>;

async function spend(context: PullContext, costMicroUsd: number): Promise<void> {
  if (costMicroUsd === 0) return;
  await changeRecords(context, (records) => ({ ...records, spentMicroUsd: records.spentMicroUsd + costMicroUsd }));
}
