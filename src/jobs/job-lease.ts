import type { JobContext } from "#jobs/job-context.ts";

/** Thrown when a job notices that another worker has it, or that it was cancelled. */
export class JobStopped extends Error {}

/** Called before everything that writes. */
export function throwIfLeaseLost({ signal }: Pick<JobContext, "signal">): void {
  if (signal.aborted) throw new JobStopped("the job's lease is lost");
}

/** Called before what cannot be taken back: a process that stood still may have lost the job without having heard of it. */
export async function confirmLease(context: Pick<JobContext, "signal" | "keepLease">): Promise<void> {
  throwIfLeaseLost(context);
  if ((await context.keepLease?.()) === false) throw new JobStopped("the job's lease is lost");
}
