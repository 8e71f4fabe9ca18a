import { join } from "node:path";
import { digestOf } from "#core/model/digest.ts";
import type { GitLimits } from "#git/git-limits.ts";
import type { KeyedLock } from "#git/keyed-lock.ts";
import type { Protocol } from "#git/read-remote.ts";
import type { RunGit } from "#git/run-git.ts";

/** What all mirrors of one folder have in common. */
export interface RealGitContext {
  readonly runGit: RunGit;
  readonly limits: GitLimits;
  readonly protocols: readonly Protocol[];
  /** Writers of one mirror wait for each other: git's lock files would make them fail instead. */
  readonly turns: KeyedLock;
  readonly mirrors: string;
  readonly worktrees: string;
  /** Short-lived files, such as an index that is only built to be written as a tree. */
  readonly scratch: string;
  /** Mirrors that were looked after since this process began. */
  readonly tended: Set<string>;
  /** Commits that were seen in a mirror, by its key: a mirror keeps them, so git need not be asked again. */
  readonly known: Map<string, Set<string>>;
}

/** One mirror of a place. */
export interface MirrorContext extends RealGitContext {
  readonly key: string;
  readonly gitDir: string;
}

/** What it takes to read commits: any repository will do. */
export type HistoryContext = Pick<MirrorContext, "runGit" | "gitDir" | "key" | "known">;

/** A key may be any text, so the folder's name is a digest of it. */
export function mirrorContext(context: RealGitContext, key: string): MirrorContext {
  return { ...context, key, gitDir: join(context.mirrors, `${digestOf(key)}.git`) };
}
