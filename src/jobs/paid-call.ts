import { errorText } from "#core/error-text.ts";
import type { Instant } from "#core/model/instant.ts";
import { UnreadableError } from "#core/model/stored.ts";
import { passWords } from "#core/words/pass-words.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { GitError } from "#ports/git.ts";

interface FailedCall {
  readonly kind: "failed";
  readonly why: string;
  readonly retryAt: Instant | null;
  readonly costMicroUsd: number;
}

/**
 * Calls a reviewer, agent or model that costs money. An unexpected error counts as a failed attempt. If the queue retried
 * it instead, the call would be paid for again each time, and no message on the pull would say so.
 */
export async function callPaid<Outcome>(
  { dependencies, key, attempt, signal }: JobContext,
  who: "reviewer" | "agent" | "model",
  ask: () => Promise<Outcome>,
): Promise<Outcome | FailedCall> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted || error instanceof GitError || error instanceof UnreadableError) throw error;
    const why = errorText(error);
    dependencies.log.error({ job: key, attempt, who, why }, "a paid call threw an error");
    return {
      kind: "failed",
      why: passWords.internalError(who),
      retryAt: null,
      costMicroUsd: 0,
    };
  }
}

/** A million dollars. No call costs as much, and a database sums up thousands of them without going wrong. */
const costMicroUsdMax = 1_000_000_000_000;

/**
 * Parts of a millionth count as one: stored costs are whole numbers, and a caller with fractions must not get stuck on
 * that.
 */
export function toWholeMicroUsd(costMicroUsd: number): number {
  if (!Number.isFinite(costMicroUsd)) return 0;
  return Math.min(costMicroUsdMax, Math.max(0, Math.ceil(costMicroUsd)));
}
