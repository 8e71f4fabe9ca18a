import type { EffectOutcome } from "#act/effect.ts";
import { createPullContext, type PullContext } from "#act/pull-context.ts";
import { finished, type JobContext, type JobOutcome } from "#jobs/job-context.ts";
import { throwIfLeaseLost } from "#jobs/job-lease.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** A job looks at the pull as it is now, and ends if that cannot be told: an entry of the queue may be hours old. */
export async function withObservation(
  jobContext: JobContext,
  pull: PullRef,
  work: (pullContext: PullContext) => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const look = await jobContext.observer.observe(pull);
  if (look.kind === "stale") return { kind: "again", at: look.retryAt };
  throwIfLeaseLost(jobContext);
  // The end of the job reports everything that has to be checked again.
  const pullContext = createPullContext(jobContext.dependencies, look.observed, {
    leaseUntil: jobContext.leaseUntil,
    scheduleCheck: () => undefined,
  });
  return await work(pullContext);
}

/** What the forge has not got yet is sent again by the same job, with the words that it remembers. */
export function jobOutcomeAfter(outcome: EffectOutcome): JobOutcome {
  return outcome.kind === "done" ? finished : { kind: "again", at: outcome.at };
}
