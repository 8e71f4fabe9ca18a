/** A pipe takes this much without waiting. Only a longer single line exceeds it. */
const charsMax = 65_536;

/** One write per turn of the event loop: with thousands of deliveries a second, a system call per line was too slow. */
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
  readonly process: Pick<NodeJS.EventEmitter, "once" | "off">;
}

/** A full disk or a closed pipe must not stop the work, and the error can be reported nowhere. */
function writeSafely(write: GatherOptions["write"], text: string): void {
  try {
    write(text);
  } catch {}
}
