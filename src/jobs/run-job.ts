import type { EffectOutcome } from "#act/effect.ts";
import { createPullContext, type PullContext } from "#act/pull-context.ts";
import type { Instant } from "#core/model/instant.ts";
import { finished, type JobContext, type JobOutcome, JobStopped, throwIfLeaseLost } from "#jobs/job-context.ts";
import { nextAttemptAt } from "#jobs/job-retries.ts";
import { ForgeError } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { tickEntry } from "#ports/tick-entry.ts";

/** A failure outside is tried again later. A job whose lease was lost writes nothing any more. */
export async function runJob(context: JobContext, pull: PullRef, work: () => Promise<JobOutcome>): Promise<JobOutcome> {
  let end: JobOutcome;
  try {
    end = await work();
  } catch (error) {
    const at = retryAfter(context, error);
    if (context.signal.aborted || error instanceof JobStopped) return finished;
    if (at === null) throw error;
    context.dependencies.log.warn(
      { job: context.key, attempt: context.attempt, kind: kindOf(error) },
      "a job has to wait",
    );
    return { kind: "again", at };
  }
  if (context.signal.aborted) return finished;
  if (end.kind === "finished") {
    await context.dependencies.store.forgetSteps(context.key);
    const { instance, queue } = context.dependencies;
    await queue.put(tickEntry(instance, pull, { origin: context.origin }));
  }
  return end;
}

/** Null: waiting does not help. It is a bug, or the pull is gone. */
function retryAfter(context: JobContext, error: unknown): Instant | null {
  if (error instanceof ForgeError) return error.kind === "not_found" ? null : nextAttemptAt(context, error.retryAt);
  return error instanceof GitError ? nextAttemptAt(context) : null;
}

function kindOf(error: unknown): string {
  return error instanceof ForgeError || error instanceof GitError ? error.kind : "unknown";
}

/** An entry of the queue may be hours old, so the job reads the pull first. */
export async function withObservation(
  jobContext: JobContext,
  pull: PullRef,
  work: (pullContext: PullContext) => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const look = await jobContext.observer.observe(pull);
  if (look.kind === "stale") return { kind: "again", at: look.retryAt };
  throwIfLeaseLost(jobContext);
  // The end of the job causes a tick anyway.
  const pullContext = createPullContext(jobContext.dependencies, look.observed, {
    leaseUntil: jobContext.leaseUntil,
    scheduleCheck: () => undefined,
  });
  return await work(pullContext);
}

/** The same job sends again what the forge does not have yet, with the stored text. */
export function jobOutcomeAfter(outcome: EffectOutcome): JobOutcome {
  return outcome.kind === "done" ? finished : { kind: "again", at: outcome.at };
}
