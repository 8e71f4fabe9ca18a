import type { Clock } from "#ports/clock.ts";

/** Nothing was heard for so long that the other side counts as gone. */
export class IdleTimeoutError extends Error {
  override readonly name = "Silence";
}

interface Listening {
  /** How long it may be silent. */
  readonly ms: number;
  /** Once it is aborted, the caller does not wait any longer, whether or not the work heeds it. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work`, and rejects with `IdleTimeoutError` when it reports no activity for `ms`. It leaves no timer behind. Work that
 * never reports activity has `ms` in all.
 */
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
    // It ends at once, and how does not matter any more.
    await watching.catch(() => undefined);
  }
}
