import type { OriginText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observer } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";

/** What a job is given by the worker that took it. */
export interface JobContext {
  readonly dependencies: Dependencies;
  readonly observer: Observer;
  /** Names the job: slow steps are remembered under it. */
  readonly key: string;
  /** Whose turns it takes; absent where there are no others. */
  readonly origin?: OriginText;
  /** Counts from 1; more than one means that a worker died, or that the job asked to be tried again. */
  readonly attempt: number;
  /** Moves on while the worker keeps the lease. */
  readonly leaseUntil: () => Instant;
  /**
   * Asks the queue if the lease is nearly over: a suspended worker notices it here. Absent: the job cannot be taken
   * away.
   */
  readonly keepLease?: (() => Promise<boolean>) | undefined;
  /** Aborted when the lease is lost: another worker has the job, or it is cancelled. */
  readonly signal: AbortSignal;
}

export type JobOutcome =
  | { readonly kind: "finished" }
  | { readonly kind: "again"; readonly at: Instant }
  /** Nothing went wrong, there is only nothing to do before then: it is no further attempt. */
  | { readonly kind: "waits"; readonly at: Instant };

export const finished: JobOutcome = { kind: "finished" };

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
