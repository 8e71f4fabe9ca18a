import { backoffMs } from "#core/backoff.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError } from "#ports/forge.ts";

/** For reads alone; waits longer each time. */
export async function retryRead<Body>(
  clock: Clock,
  read: () => Promise<Body>,
  attemptsMax: number = githubLimits.readAttemptsMax,
): Promise<Body> {
  for (let count = 1; ; count++) {
    try {
      return await read();
    } catch (error) {
      // Without even a connection the caller is told at once and tries again at its own pace.
      const isPassing = error instanceof ForgeError && error.kind === "unavailable" && !error.isUnreached;
      if (!isPassing || count >= attemptsMax) throw error;
      await clock.sleep(backoffMs({ attempt: count, firstMs: githubLimits.retryWaitMs }));
    }
  }
}
