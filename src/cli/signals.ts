/** What tells a long-running command to go on in another way. */
export const processSignals = {
  /** Resolves when somebody asks this process to end: Ctrl-C, or whoever supervises it. A second time ends it at once. */
  untilStopped: (): Promise<void> =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
  /** For work that ends by itself, and early where somebody asks for it. A second time ends the process at once. */
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
  /** Whatever is under way is cut off, as by a kill; what was said is still written. */
  endNow: (code: number): void => process.exit(code),
  /** SIGHUP: read the configuration again. */
  onReload: (listener: () => void): void => {
    process.on("SIGHUP", listener);
  },
};
