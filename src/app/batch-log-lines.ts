/** What is written at once at most, but for a single line that is longer. A pipe takes as much without waiting. */
const charsMax = 65_536;

/**
 * Writes the lines of one turn of the event loop together: with thousands of deliveries in a second, a system call for
 * each line took more time than the line itself. No timer delays them. What the process says in its last turn is
 * written when it exits, also when an error that nobody caught ends it; a kill takes the lines of that turn with it.
 */
export function batchLogLines({ write, process }: GatherOptions): (line: string) => void {
  let waiting = "";
  const flush = (): void => {
    const text = waiting;
    waiting = "";
    process.off("exit", flush);
    if (text !== "") writeSafely(write, text);
  };
  return (line) => {
    if (waiting.length + line.length > charsMax) flush();
    if (waiting === "") {
      setImmediate(flush);
      process.once("exit", flush);
    }
    waiting += line;
  };
}

export interface GatherOptions {
  readonly write: (text: string) => void;
  /** The one that is running; tests give their own. */
  readonly process: Pick<NodeJS.EventEmitter, "once" | "off">;
}

/** The error cannot be reported anywhere: a full disk or a closed pipe must not stop the work itself. */
function writeSafely(write: GatherOptions["write"], text: string): void {
  try {
    write(text);
  } catch {}
}
