import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Where the words of a child go: kept for its result, or straight to one of our own streams. */
export type ChildOutput = "keep" | "stdout" | "stderr";

export interface ChildOptions {
  readonly script: string;
  readonly args: readonly string[];
  readonly output: ChildOutput;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

export interface ChildEnd {
  readonly code: number;
  /** Both streams in the order in which they came; empty unless the output was kept. */
  readonly output: string;
}

/** Runs a script with this Node to its end. A child that a signal ended has the code that a shell would report. */
export function runNode(options: ChildOptions): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [options.script, ...options.args], {
      stdio: streams(options.output),
      env: options.env ?? process.env,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const chunks: Buffer[] = [];
    const words = () => Buffer.concat(chunks).toString("utf8");
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", (error) => resolve({ code: 1, output: `${words()}${error.message}\n` }));
    child.on("close", (code, signal) => resolve({ code: code ?? codeOfSignal(signal), output: words() }));
  });
}

/** What a shell reports for a process that a signal ended: 128 and the signal's number. */
export function codeOfSignal(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal];
}

function streams(output: ChildOutput): ["ignore", "pipe" | number, "pipe" | number] {
  if (output === "keep") {
    return ["ignore", "pipe", "pipe"];
  }
  return ["ignore", output === "stdout" ? 1 : 2, 2];
}
