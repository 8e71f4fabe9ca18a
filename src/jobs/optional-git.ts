import type { Turn } from "#act/turn.ts";
import { type Comparing, openComparison } from "#observe/change.ts";
import { GitError } from "#ports/git.ts";

/** The change that somebody talks about, fetched once, when it is first asked for. */
export type Compare = () => Promise<Comparing | undefined>;

export function compareOnce({ parts, ref, headRef, seen }: Turn): Compare {
  let opened: ReturnType<Compare> | undefined;
  return async () => await (opened ??= openComparison(parts, ref, { headRef, pull: seen.pull }));
}

/** What git tells is a help to whoever answers, and nothing waits for it. */
export async function orWithout<Value, Without>(
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
