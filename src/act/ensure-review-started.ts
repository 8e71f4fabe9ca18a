import type { EffectOutcome } from "#act/effect.ts";
import { changeRecords, originOf, type PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/decision/action.ts";
import { after } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import type { ReviewRun } from "#core/model/records.ts";
import { findRun, isSameRun, recordRunStarted } from "#core/review/review-run.ts";
import { abandonEntry, reviewJobKey } from "#ports/job-entries.ts";

/** Recorded first: without a job it counts as interrupted. A run that another worker began is not paid for again. */
export async function ensureReviewStarted(
  context: PullContext,
  action: ActionOf<"start_review">,
): Promise<EffectOutcome> {
  const { head, baseBranch, role, trigger, round, attempt, priority } = action;
  const state = { kind: "running" } as const;
  const run: ReviewRun = { head, baseBranch, role, trigger, round, state, startedAt: context.seen.observedAt };
  const job: ReviewJobData = { pull: context.ref, run, attempt };
  const before = findRun(context.seen.records.runs, run);
  let isNew = true;
  await changeRecords(context, (records) => {
    const known = findRun(records.runs, run);
    isNew = known === undefined || known.startedAt === before?.startedAt;
    return isNew ? recordRunStarted(records, run, context.seen.rules) : records;
  });
  if (!isNew) return { kind: "done", result: null };
  await context.dependencies.queue.put({
    queue: "review",
    key: reviewJobKey(context.key, run),
    at: null,
    whileRunning: "skip",
    priority,
    payload: job,
    origin: originOf(context),
  });
  return { kind: "done", result: null };
}

/** The job is cancelled first, since it costs money. Another job then settles its cost and its batch. */
export async function ensureReviewCancelled(
  context: PullContext,
  action: ActionOf<"cancel_review">,
): Promise<EffectOutcome> {
  const runs = context.seen.records.runs.filter((run) => run.state.kind === "running" && isSameRun(run, action));
  for (const run of runs) await cancelJob(context, run);
  const by = action.why === "closed" ? "command" : action.why;
  await changeRecords(context, (records) => ({
    ...records,
    runs: records.runs.map((run) =>
      isSameRun(run, action) && run.state.kind === "running" ? { ...run, state: { kind: "cancelled", by } } : run,
    ),
  }));
  return { kind: "done", result: null };
}

async function cancelJob({ dependencies, key: pull, ref }: PullContext, run: ReviewRun): Promise<void> {
  if (Object.values(dependencies.reviewers).some((reviewer) => reviewer?.offers !== undefined)) {
    const at = after(dependencies.clock.now(), dependencies.durations.leaseMs);
    await dependencies.queue.put(abandonEntry(dependencies.instance, { pull: ref, run }, { at, priority: 4 }));
  }
  await dependencies.queue.cancel({ queue: "review", key: reviewJobKey(pull, run) });
}
