export const processSignals = {
  /** A second signal ends the process at once. */
  untilStopped: (): Promise<void> =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
  /** A second signal ends the process at once. */
  stoppable: async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    const signals = ["SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process.once(signal, stop);
    try {
      return await work(stopping.signal);
    } finally {
      for (const signal of signals) process.removeListener(signal, stop);
    }
  },
  /** Cuts off work under way, as a kill does. Output that was begun is still written. */
  endNow: (code: number): void => process.exit(code),
  onReload: (listener: () => void): void => {
    process.on("SIGHUP", listener);
  },
};
