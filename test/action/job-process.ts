import { spawn } from "node:child_process";
import { once } from "node:events";

/** The step of a job, as a process that a runner has started. */
export interface JobProcess {
  /** Both streams so far. */
  readonly output: () => string;
  /** Waits until it has said this; an error if it ends before. */
  said(words: string): Promise<void>;
  /** As a runner cancels: asks at first, and ends it then. */
  kill(signal: NodeJS.Signals): void;
  /** Its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

export function startJobProcess({
  script,
  env,
  node = process.execPath,
}: {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program that runs it; the one that runs us, unless told otherwise. */
  readonly node?: string | undefined;
}): JobProcess {
  const child = spawn(node, [script], {
    stdio: ["ignore", "pipe", "pipe"],
    // Nothing of this process's own but what a program needs to find others.
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
  });
  let text = "";
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      for (const hear of heard) hear();
    });
  }
  const ended = once(child, "close").then(() => child.exitCode);
  return {
    output: () => text,
    said: async (words) => {
      const saying = new Promise<void>((resolve) => {
        const hear = (): void => {
          if (!text.includes(words)) return;
          heard.delete(hear);
          resolve();
        };
        heard.add(hear);
        hear();
      });
      await Promise.race([saying, ended]);
      if (!text.includes(words)) throw new Error(`it ended without saying "${words}":\n${text}`);
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
