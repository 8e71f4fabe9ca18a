import { backoffMs } from "#core/backoff.ts";
import { after, hourMs, type Instant } from "#core/model/instant.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { ForgeError } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { tickEntry } from "#ports/tick-entry.ts";

/**
 * Does the work of a job and ends it in the common way. A failure outside is tried again later, a finished job is
 * removed and its pull is ticked, and a job whose lease was lost writes nothing any more.
 */
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

export const finished: JobOutcome = { kind: "finished" };

/** Thrown when a job notices that another worker has it, or that it was cancelled. */
class JobStopped extends Error {}

/** Called before everything that writes. */
export function throwIfLeaseLost({ signal }: Pick<JobContext, "signal">): void {
  if (signal.aborted) throw new JobStopped("the job's lease is lost");
}

/** Called before what cannot be taken back: a process that stood still may have lost the job without having heard of it. */
export async function confirmLease(context: Pick<JobContext, "signal" | "keepLease">): Promise<void> {
  throwIfLeaseLost(context);
  if ((await context.keepLease?.()) === false) throw new JobStopped("the job's lease is lost");
}

const pauseMsMax = hourMs;

export function nextAttemptAt({ dependencies, attempt }: JobContext, told: Instant | null = null): Instant {
  const waitMs = backoffMs({ attempt, firstMs: 2 * dependencies.durations.retryMs, maxMs: pauseMsMax });
  return told ?? after(dependencies.clock.now(), waitMs);
}

const gitTriesMax = 5;

/** The world may be back in a moment. What git itself refuses, it refuses the next time too. */
export function isTransient({ kind }: GitError, { attempt, signal }: JobContext): boolean {
  const isWorld = kind === "unavailable" || kind === "timeout" || kind === "cancelled";
  return signal.aborted || (isWorld && attempt < gitTriesMax);
}

/** Null where waiting does not help: a bug, or a pull that is gone. */
function retryAfter(context: JobContext, error: unknown): Instant | null {
  if (error instanceof ForgeError) return error.kind === "not_found" ? null : nextAttemptAt(context, error.retryAt);
  return error instanceof GitError ? nextAttemptAt(context) : null;
}

function kindOf(error: unknown): string {
  return error instanceof ForgeError || error instanceof GitError ? error.kind : "unknown";
}
