import process from "node:process";

/** What tells a long-running command to go on in another way. */
export const processSignals = {
  /** Resolves when somebody asks this process to end: Ctrl-C, or whoever supervises it. A second time ends it at once. */
  untilStopped: (): Promise<void> =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
  /** SIGHUP: read the configuration again. */
  onReload: (listener: () => void): void => {
    process.on("SIGHUP", listener);
  },
};
