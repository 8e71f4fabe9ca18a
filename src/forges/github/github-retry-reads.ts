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
      // Whoever cannot even connect says so at once: their callers try again, at a pace of their own.
      const isPassing = error instanceof ForgeError && error.kind === "unavailable" && !error.isUnreached;
      if (!isPassing || count >= attemptsMax) throw error;
      await clock.sleep(backoffMs({ attempt: count, firstMs: githubLimits.retryWaitMs }));
    }
  }
}
