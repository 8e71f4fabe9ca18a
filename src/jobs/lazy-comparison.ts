import type { PullContext } from "#act/pull-context.ts";
import { type ComparedCommits, openComparison } from "#observe/change-facts.ts";
import { GitError } from "#ports/git.ts";

export type LazyComparison = () => Promise<ComparedCommits | undefined>;

export function lazyComparison({ dependencies, ref, headRef, seen }: PullContext): LazyComparison {
  let opened: ReturnType<LazyComparison> | undefined;
  return async () => await (opened ??= openComparison(dependencies, ref, { headRef, pull: seen.pull }));
}

/** The data from git helps the answer, and nothing waits for it. */
export async function orIfGitFails<Value, Without>(
  read: () => Promise<Value>,
  without: Without,
): Promise<Value | Without> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GitError) return without;
    throw error;
  }
}
