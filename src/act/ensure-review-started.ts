import type { Outcome } from "#act/effect.ts";
import { changeRecords, originOf, type Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";
import { after } from "#core/model/instant.ts";
import type { ReviewJobData } from "#core/model/job.ts";
import type { ReviewRun } from "#core/model/records.ts";
import { findRun, isSameRun, withRunBegun } from "#core/review/begun-run.ts";
import { dropJobKey, reviewJobKey } from "#observe/interrupted.ts";

/**
 * The look is written down as running, then its job is put into the queue: without a job it counts as interrupted. One that
 * somebody else has begun meanwhile is left alone, whatever became of it: a worker that stood still would pay for it again.
 */
export async function ensureReviewStarted(turn: Turn, action: ActionOf<"start_review">): Promise<Outcome> {
  const { head, baseBranch, role, trigger, round, attempt, priority } = action;
  const state = { kind: "running" } as const;
  const run: ReviewRun = { head, baseBranch, role, trigger, round, state, startedAt: turn.seen.observedAt };
  const job: ReviewJobData = { pull: turn.ref, run, attempt };
  const before = findRun(turn.seen.records.runs, run);
  let isNew = true;
  await changeRecords(turn, (records) => {
    const known = findRun(records.runs, run);
    isNew = known === undefined || known.startedAt === before?.startedAt;
    return isNew ? withRunBegun(records, run, turn.seen.rules) : records;
  });
  if (!isNew) return { kind: "done", result: null };
  await turn.parts.queue.put({
    queue: "review",
    key: reviewJobKey(turn.key, run),
    at: null,
    whileRunning: "skip",
    priority,
    payload: job,
    origin: originOf(turn),
  });
  return { kind: "done", result: null };
}

/**
 * The job first: a run that is cancelled in the records must not go on costing money. What it has cost, and a batch that may
 * be with a provider, another job sees to; not before whoever works on the run now has noticed, or is dead.
 */
export async function ensureReviewCancelled(turn: Turn, action: ActionOf<"cancel_review">): Promise<Outcome> {
  const runs = turn.seen.records.runs.filter((run) => run.state.kind === "running" && isSameRun(run, action));
  for (const run of runs) await cancelJob(turn, run);
  const by = action.why === "closed" ? "command" : action.why;
  await changeRecords(turn, (records) => ({
    ...records,
    runs: records.runs.map((run) =>
      isSameRun(run, action) && run.state.kind === "running" ? { ...run, state: { kind: "cancelled", by } } : run,
    ),
  }));
  return { kind: "done", result: null };
}

async function cancelJob({ parts, key: pull, ref }: Turn, run: ReviewRun): Promise<void> {
  const key = reviewJobKey(pull, run);
  if (Object.values(parts.reviewers).some((reviewer) => reviewer?.offers !== undefined)) {
    const at = after(parts.clock.now(), parts.spans.leaseMs);
    const payload: ReviewJobData = { pull: ref, run, attempt: 1 };
    const entry = { queue: "review", key: dropJobKey(key), whileRunning: "keep", priority: 4 } as const;
    await parts.queue.put({ ...entry, at, payload });
  }
  await parts.queue.cancel({ queue: "review", key });
}
