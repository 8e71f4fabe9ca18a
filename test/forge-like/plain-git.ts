import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Git as anybody has it, with the folder for a home and nothing of this machine's configuration. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@localhost",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@localhost",
  };
  return (await promisify(execFile)("git", args, { cwd, env })).stdout;
}
