/** The other side of `program.ts`: answers each message of the process that started this one, and ends with it. */
export function answerParent(answer: (message: unknown) => Promise<object>, stop: () => Promise<void>): void {
  process.on("message", (message) => {
    void answer(message).then(
      (found) => process.send?.(found),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  // Whatever becomes of the bench, nothing that it started stays behind.
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => {
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
