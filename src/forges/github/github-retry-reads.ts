import { backoffMs } from "#core/backoff.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError } from "#ports/forge.ts";

/** Asks again where nothing came back, waiting longer each time. For reads alone. */
export async function retryRead<Body>(
  clock: Clock,
  read: () => Promise<Body>,
  attemptsMax: number = githubLimits.readAttemptsMax,
): Promise<Body> {
  for (let count = 1; ; count++) {
    try {
      return await read();
    } catch (error) {
      // If even the connection fails, the caller is told at once and tries again at a pace of its own.
      const isPassing = error instanceof ForgeError && error.kind === "unavailable" && !error.isUnreached;
      if (!isPassing || count >= attemptsMax) throw error;
      await clock.sleep(backoffMs({ attempt: count, firstMs: githubLimits.retryWaitMs }));
    }
  }
}
