import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";

/** A process of its own that answers each message with one. */
export interface Program {
  readonly pid: number;
  ask(message: object): Promise<unknown>;
  /** With SIGTERM, and SIGKILL where that takes too long. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly script: string;
  /** For Node itself, such as `--cpu-prof`. */
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its words go: to a file, as those of a server do, so that nobody has to read them meanwhile. */
  readonly logFile: string;
}

export function startProgram({ script, nodeArgs = [], env = {}, logFile }: ProgramOptions): Program {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [...nodeArgs, script], {
    stdio: ["ignore", log, log, "ipc"],
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${script} could not be started`);
  // Registered at once: it may end before anybody waits for it.
  const ended = once(child, "close");
  return {
    pid,
    ask: async (message) => await askChild(child, { message, script, logFile }),
    stop: async () => {
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(timer);
    },
  };
}

const stopMsMax = 20_000;
const wordsMax = 2000;

async function askChild(child: ChildProcess, asked: Asked): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    child.send(asked.message);
    const answered = once(child, "message", { signal });
    const ended = once(child, "exit", { signal }).then(() => undefined);
    const answer: unknown = await Promise.race([answered, ended]);
    if (Array.isArray(answer)) return answer[0];
  } finally {
    over.abort();
  }
  throw new Error(`${asked.script} ended:\n${readFileSync(asked.logFile, "utf8").slice(-wordsMax)}`);
}

interface Asked {
  readonly message: object;
  readonly script: string;
  readonly logFile: string;
}
