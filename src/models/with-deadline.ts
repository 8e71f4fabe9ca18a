import type { Clock } from "#ports/clock.ts";

/** Aborts at the limit; leaves no timer behind. */
export async function withDeadline<Result>(
  clock: Clock,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const done = new AbortController();
  const watch = abortAfter(limit, clock.sleep(ms, done.signal), done.signal);
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    done.abort();
    await watch;
  }
}

async function abortAfter(limit: AbortController, sleep: Promise<void>, done: AbortSignal): Promise<void> {
  await sleep;
  if (!done.aborted) limit.abort(new DOMException("the time is up", "TimeoutError"));
}
