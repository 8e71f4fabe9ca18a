/** What tells a long-running command to go on in another way. */
export const processSignals = {
  /** Resolves when this process is told to end: by Ctrl-C or by its supervisor. A second signal ends it at once. */
  untilStopped: (): Promise<void> =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
  /** For work that ends by itself, and early on request. A second signal ends the process at once. */
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
  /** Work under way is cut off, as by a kill. Output that was begun is still written. */
  endNow: (code: number): void => process.exit(code),
  /** SIGHUP: read the configuration again. */
  onReload: (listener: () => void): void => {
    process.on("SIGHUP", listener);
  },
};
