import { GitError } from "#ports/git.ts";

export interface ConcurrencyLimit {
  /** A caller that gives up while waiting has begun nothing. */
  take<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value>;
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const waiting = new Set<() => void>();
  let taken = 0;
  const give = (): void => {
    const [next] = waiting;
    if (next === undefined) taken--;
    else {
      waiting.delete(next);
      next();
    }
  };
  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(new GitError("cancelled", "git was not started: the call was cancelled"));
      };
      waiting.add(begin);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  return {
    async take(work, signal) {
      if (taken < max) taken++;
      else await wait(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
