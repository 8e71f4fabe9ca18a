import { execFileSync } from "node:child_process";

/** Runs git as somebody else's machine would: the other parties of the tests, and the naive host of the controls. */
export function plainGit(folder: string, argv: readonly string[], options: PlainOptions = {}): Buffer {
  return execFileSync("git", [...argv], {
    cwd: folder,
    input: options.input ?? new Uint8Array(),
    env: {
      PATH: process.env["PATH"],
      HOME: "/nonexistent",
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.invalid",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.invalid",
      ...options.environment,
    },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export interface PlainOptions {
  readonly input?: Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}
