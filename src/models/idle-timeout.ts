import type { Clock } from "#ports/clock.ts";

export class IdleTimeoutError extends Error {
  override readonly name = "Silence";
}

interface Listening {
  readonly ms: number;
  /** After an abort the caller does not wait, whether or not the work heeds it. */
  readonly signal: AbortSignal;
}

/** Rejects with `IdleTimeoutError` after `ms` without reported activity. Leaves no timer behind. */
export async function withIdleTimeout<Result>(
  clock: Clock,
  { ms, signal }: Listening,
  work: (sound: () => void) => Promise<Result>,
): Promise<Result> {
  let nap = new AbortController();
  let isOver = false;
  const wake = (): void => {
    const before = nap;
    nap = new AbortController();
    before.abort();
  };
  const watch = async (): Promise<never> => {
    for (;;) {
      const mine = nap;
      if (signal.aborted) throw new DOMException("nobody waits any longer", "AbortError");
      await clock.sleep(ms, mine.signal);
      if (isOver || !mine.signal.aborted) throw new IdleTimeoutError();
    }
  };
  signal.addEventListener("abort", wake);
  const watching = watch();
  try {
    return await Promise.race([work(wake), watching]);
  } finally {
    isOver = true;
    signal.removeEventListener("abort", wake);
    wake();
    await watching.catch(() => undefined);
  }
}
