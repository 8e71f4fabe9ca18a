import type { OriginText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observer } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";

export interface JobContext {
  readonly dependencies: Dependencies;
  readonly observer: Observer;
  /** Slow steps are stored under it. */
  readonly key: string;
  readonly origin?: OriginText;
  /** Counts from 1. More: a worker died, or the job asked to be tried again. */
  readonly attempt: number;
  readonly leaseUntil: () => Instant;
  /** Asks the queue if the lease is nearly over: the worker may have been suspended. Absent: it cannot be lost. */
  readonly keepLease?: (() => Promise<boolean>) | undefined;
  /** Aborted when the lease is lost: another worker has the job, or it is cancelled. */
  readonly signal: AbortSignal;
}

export type JobOutcome =
  | { readonly kind: "finished" }
  | { readonly kind: "again"; readonly at: Instant }
  /** Nothing failed, so this counts as no attempt. */
  | { readonly kind: "waits"; readonly at: Instant };

export const finished: JobOutcome = { kind: "finished" };

export class JobStopped extends Error {}

/** Called before everything that writes. */
export function throwIfLeaseLost({ signal }: Pick<JobContext, "signal">): void {
  if (signal.aborted) throw new JobStopped("the job's lease is lost");
}

/** Called before what cannot be undone: a suspended process may have lost the job without noticing. */
export async function confirmLease(context: Pick<JobContext, "signal" | "keepLease">): Promise<void> {
  throwIfLeaseLost(context);
  if ((await context.keepLease?.()) === false) throw new JobStopped("the job's lease is lost");
}
