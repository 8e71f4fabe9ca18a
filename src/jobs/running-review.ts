import { changeRecords } from "#act/pull-context.ts";
import { runSubject } from "#core/blocks/block.ts";
import type { Instant } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import type { Records, ReviewRun, RunState } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { hasBudgetAccount } from "#jobs/budget-account.ts";
import { type JobContext, throwIfLeaseLost } from "#jobs/job-context.ts";
import type { FetchedPull } from "#ports/forge.ts";
import type { PullKey } from "#ports/pull-ref.ts";

export interface RunningReview {
  readonly context: JobContext;
  readonly data: ReviewJobData;
  readonly key: PullKey;
  readonly run: ReviewRun;
  readonly rules: Rules;
  readonly seen: FetchedPull;
  /** On this machine's clock, when the forge was asked. */
  readonly askedAt: Instant;
}

export function findRunningReview(records: Records | undefined, run: ReviewRun): ReviewRun | undefined {
  const subject = runSubject(run);
  const known = records?.runs.find((one) => runSubject(one) === subject);
  return known?.state.kind === "running" ? known : undefined;
}

/** All or nothing. False: it had ended before. An unpaid run records that it was free, since unknown costs count. */
export async function endRun(
  { context, key, run }: Pick<RunningReview, "context" | "key" | "run">,
  ended: (records: Records) => { readonly state: RunState; readonly change?: Partial<Records> },
): Promise<boolean> {
  const isAsked = await hasBudgetAccount(context);
  throwIfLeaseLost(context);
  let isEnded = false;
  await changeRecords({ dependencies: context.dependencies, key }, (records) => {
    const known = findRunningReview(records, run);
    isEnded = known !== undefined;
    if (known === undefined) return records;
    const { state, change } = ended(records);
    const over = isAsked || state.kind === "completed" ? { ...known, state } : { ...known, state, droppedMicroUsd: 0 };
    return { ...records, ...change, runs: records.runs.map((one) => (one === known ? over : one)) };
  });
  return isEnded;
}
