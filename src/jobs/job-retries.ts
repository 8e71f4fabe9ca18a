import { backoffMs } from "#core/backoff.ts";
import { after, hourMs, type Instant } from "#core/model/instant.ts";
import type { JobContext } from "#jobs/job-context.ts";
import type { GitError } from "#ports/git.ts";

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
