import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface NodeCommand {
  readonly script: string;
  readonly args: readonly string[];
  /** On top of what a program needs to find others; nothing else of this process's own is handed on. */
  readonly env: Readonly<Record<string, string>>;
  /** An open file that its standard output goes to. Absent: it is heard here. */
  readonly stdout?: number;
  /** The program that runs it; the one that runs us, unless told otherwise. */
  readonly node?: string | undefined;
}

/** A real process of Node that can be ended at any moment, as a power cut or an operator would. */
export interface NodeProcess {
  readonly pid: number;
  /** Both streams so far, in the order in which they came. */
  readonly output: () => string;
  /** Null while it runs. */
  end(): ProcessEnd | null;
  /** Waits until it has said something like this, and answers with it; an error if it ends before, or takes too long. */
  waitFor(pattern: RegExp, msMax: number): Promise<RegExpExecArray>;
  /** Waits until it has ended by itself; an error if that takes too long. */
  ended(msMax: number): Promise<ProcessEnd>;
  signal(signal: NodeJS.Signals): void;
  /** Nobody reads its standard output from now on: whatever it writes there breaks its pipe. */
  stopListening(): void;
  /** With SIGKILL: nothing of it runs any more when this resolves. */
  kill(): Promise<ProcessEnd>;
  /** With SIGTERM, and SIGKILL where that takes too long. */
  stop(msMax: number): Promise<ProcessEnd>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function startNode({ script, args, env, stdout, node: program = process.execPath }: NodeCommand): NodeProcess {
  const child = spawn(program, [script, ...args], {
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${script} could not be started`);
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => said.push(chunk));
  const output = (): string => Buffer.concat(said).toString("utf8");
  const closed = closing(child);
  const node: NodeProcess = {
    pid,
    output,
    end: () => endOf(child),
    waitFor: (pattern, msMax) => waitFor(node, pattern, msMax),
    ended: async (msMax) => {
      await Promise.race([closed, sleep(msMax, undefined, { ref: false })]);
      const end = endOf(child);
      if (end === null) throw new Error(`process ${pid} has not ended within ${msMax} ms\n${output()}`);
      return end;
    },
    signal: (signal) => void child.kill(signal),
    stopListening: () => void child.stdout?.destroy(),
    kill: async () => {
      child.kill("SIGKILL");
      return closed;
    },
    stop: async (msMax) => {
      child.kill("SIGTERM");
      await Promise.race([closed, sleep(msMax, undefined, { ref: false })]);
      child.kill("SIGKILL");
      return closed;
    },
  };
  return node;
}

async function closing(child: ChildProcess): Promise<ProcessEnd> {
  await once(child, "close");
  return { code: child.exitCode, signal: child.signalCode };
}

function endOf({ exitCode, signalCode }: ChildProcess): ProcessEnd | null {
  return exitCode === null && signalCode === null ? null : { code: exitCode, signal: signalCode };
}

/** Short enough to be no part of what is waited for. */
const glanceMs = 10;

async function waitFor(node: NodeProcess, pattern: RegExp, msMax: number): Promise<RegExpExecArray> {
  const deadline = Date.now() + msMax;
  while (Date.now() < deadline) {
    const found = pattern.exec(node.output());
    if (found !== null) return found;
    if (node.end() !== null) break;
    await sleep(glanceMs);
  }
  const why = node.end() === null ? `said nothing like it within ${msMax} ms` : "ended before it said it";
  throw new Error(`process ${node.pid} ${why}: ${pattern}\n${node.output()}`);
}
