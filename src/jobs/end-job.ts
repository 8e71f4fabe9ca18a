import { after, hourMs, type Instant } from "#core/model/instant.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { ForgeError } from "#ports/forge.ts";
import { GitError } from "#ports/git.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

/**
 * Does the work of a job and ends it the way all jobs end: a world that fails is tried again later, what is finished is
 * forgotten and makes the pull be looked at, and a job whose lease was lost writes nothing any more.
 */
export async function endJob(place: JobPlace, pull: PullRef, work: () => Promise<JobEnd>): Promise<JobEnd> {
  let end: JobEnd;
  try {
    end = await work();
  } catch (error) {
    const at = retryAfter(place, error);
    if (place.signal.aborted || error instanceof JobStopped) return finished;
    if (at === null) throw error;
    place.parts.log.warn({ job: place.key, attempt: place.attempt, kind: kindOf(error) }, "a job has to wait");
    return { kind: "again", at };
  }
  if (place.signal.aborted) return finished;
  if (end.kind === "finished") {
    await place.parts.store.forgetSteps(place.key);
    await pokePull(place, pull);
  }
  return end;
}

export const finished: JobEnd = { kind: "finished" };

/** Thrown where a job finds out that somebody else has it, or that nobody wants it. */
class JobStopped extends Error {}

/** Called before everything that writes. */
export function stopIfLost({ signal }: Pick<JobPlace, "signal">): void {
  if (signal.aborted) throw new JobStopped("the job's lease is lost");
}

/** Called before what cannot be taken back: a process that stood still may have lost the job without having heard of it. */
export async function stopUnlessHeld(place: Pick<JobPlace, "signal" | "keepLease">): Promise<void> {
  stopIfLost(place);
  if ((await place.keepLease?.()) === false) throw new JobStopped("the job's lease is lost");
}

/** Doubles with each attempt. */
export function againLater({ parts, attempt }: JobPlace, told: Instant | null = null): Instant {
  const waitMs = Math.min(parts.spans.retryMs * 2 ** Math.min(attempt, 20), hourMs);
  return told ?? after(parts.clock.now(), waitMs);
}

const gitTriesMax = 5;

/** The world may be back in a moment. What git itself refuses, it refuses the next time too. */
export function isPassing({ kind }: GitError, { attempt, signal }: JobPlace): boolean {
  const isWorld = kind === "unavailable" || kind === "timeout" || kind === "cancelled";
  return signal.aborted || (isWorld && attempt < gitTriesMax);
}

/** Priority 2: what a job has found is waited for, but a person's poke comes first. */
async function pokePull({ parts, origin }: JobPlace, pull: PullRef): Promise<void> {
  await parts.queue.put({
    queue: "tick",
    key: pullKeyOf(parts.instance, pull),
    at: null,
    whileRunning: "keep",
    priority: 2,
    payload: { pull },
    ...(origin === undefined ? {} : { origin }),
  });
}

/** Null where waiting does not help: a bug, or a pull that is gone. */
function retryAfter(place: JobPlace, error: unknown): Instant | null {
  if (error instanceof ForgeError) return error.kind === "not_found" ? null : againLater(place, error.retryAt);
  return error instanceof GitError ? againLater(place) : null;
}

function kindOf(error: unknown): string {
  return error instanceof ForgeError || error instanceof GitError ? error.kind : "unknown";
}
