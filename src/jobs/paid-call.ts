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

/** An unexpected error counts as a failed attempt: the queue would retry, and pay, without a word on the pull. */
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

/** A million dollars: no call costs as much, and a database can sum up thousands of them. */
const costMicroUsdMax = 1_000_000_000_000;

/** Stored costs are whole numbers. A part of a millionth counts as one. */
export function toWholeMicroUsd(costMicroUsd: number): number {
  if (!Number.isFinite(costMicroUsd)) return 0;
  return Math.min(costMicroUsdMax, Math.max(0, Math.ceil(costMicroUsd)));
}
