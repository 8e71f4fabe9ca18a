import { join } from "node:path";
import { digestOf } from "#core/model/digest.ts";
import type { GitLimits } from "#git/git-limits.ts";
import type { KeyedLock } from "#git/keyed-lock.ts";
import type { Protocol } from "#git/read-remote.ts";
import type { RunGit } from "#git/run-git.ts";

export interface RealGitContext {
  readonly runGit: RunGit;
  readonly limits: GitLimits;
  readonly protocols: readonly Protocol[];
  /** Git's lock files would make concurrent writers of a mirror fail. */
  readonly turns: KeyedLock;
  readonly mirrors: string;
  readonly worktrees: string;
  readonly scratch: string;
  readonly tended: Set<string>;
  /** Commits by mirror key: a mirror keeps them, so git need not be asked again. */
  readonly known: Map<string, Set<string>>;
}

export interface MirrorContext extends RealGitContext {
  readonly key: string;
  readonly gitDir: string;
}

export type HistoryContext = Pick<MirrorContext, "runGit" | "gitDir" | "key" | "known">;

/** A key may be any text, so the folder is named by its digest. */
export function mirrorContext(context: RealGitContext, key: string): MirrorContext {
  return { ...context, key, gitDir: join(context.mirrors, `${digestOf(key)}.git`) };
}
