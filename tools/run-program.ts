import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface ProgramEnd {
  /** 127 where there is no such program. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs any program to its end, and keeps what it says. `onLine` hears each line of its standard error as it comes. */
export async function runProgram(options: {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}): Promise<ProgramEnd> {
  const { program, args, cwd, env = {}, onLine } = options;
  return await new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
    });
    if (onLine !== undefined) createInterface({ input: child.stderr }).on("line", onLine);
    child.on("error", (error) => resolve({ ...said, code: 127, stderr: error.message }));
    child.on("close", (code) => resolve({ ...said, code: code ?? 1 }));
  });
}
