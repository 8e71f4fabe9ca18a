import type { RunGit } from "#git/run-git.ts";
import { GitError } from "#ports/git.ts";

/** 2.31 has configuration by environment. Before 2.35.2 git opened a directory that another user planted. */
const oldestGit = "2.35.2";

export async function checkGitVersion(runGit: RunGit): Promise<string> {
  const { stdout } = await runGit({ args: ["version"] });
  const found = /^git version (\d+(?:\.\d+)+)/.exec(stdout.toString())?.[1];
  if (found === undefined || isOlder(found, oldestGit)) {
    throw new GitError("unsupported", `Drover needs git ${oldestGit} or newer; found ${found ?? "something else"}.`);
  }
  return found;
}

export function isOlder(version: string, than: string): boolean {
  const [left, right] = [version.split(".").map(Number), than.split(".").map(Number)];
  for (const [index, wanted] of right.entries()) {
    const part = left[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
