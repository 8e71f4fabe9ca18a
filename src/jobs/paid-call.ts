import { errorText } from "#core/error-text.ts";
import type { Instant } from "#core/model/instant.ts";
import { UnreadableError } from "#core/model/stored.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { GitError } from "#ports/git.ts";

interface Broken {
  readonly kind: "failed";
  readonly why: string;
  readonly retryAt: Instant | null;
  readonly costMicroUsd: number;
}

/**
 * Asks somebody who may cost money. Whoever breaks down has failed like anybody else: it counts as an attempt, and people
 * are told in the end. Were it left to the queue, it would be asked, and paid, again and again without anybody knowing.
 */
export async function callPaid<Outcome>(
  { dependencies, key, attempt, signal }: JobContext,
  who: "reviewer" | "agent" | "model",
  ask: () => Promise<Outcome>,
): Promise<Outcome | Broken> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted || error instanceof GitError || error instanceof UnreadableError) throw error;
    const why = errorText(error);
    dependencies.log.error({ job: key, attempt, who, why }, "somebody who was asked broke down");
    return { kind: "failed", why: `The ${who} broke down; the log says how.`, retryAt: null, costMicroUsd: 0 };
  }
}

/** A million dollars. No call costs as much, and a database sums up thousands of them without going wrong. */
const costMicroUsdMax = 1_000_000_000_000;

/** Parts of a millionth count as one: what is stored is whole, and whoever reckons otherwise must not get stuck on it. */
export function toWholeMicroUsd(costMicroUsd: number): number {
  if (!Number.isFinite(costMicroUsd)) return 0;
  return Math.min(costMicroUsdMax, Math.max(0, Math.ceil(costMicroUsd)));
}
