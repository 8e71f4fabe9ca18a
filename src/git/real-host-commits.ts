import type { HeadSha } from "#core/model/ids.ts";
import type { MirrorContext, RealGitContext } from "#git/real-git-context.ts";
import { findUnknown } from "#git/real-history.ts";
import { listHosted } from "#git/real-host-repositories.ts";
import { mustRun } from "#git/run-git.ts";
import { GitError } from "#ports/git.ts";

/** Ends with an error unless the repository holds these commits, or can get them from its neighbours. */
export async function mustHold(
  host: RealGitContext,
  context: MirrorContext,
  commits: readonly HeadSha[],
): Promise<void> {
  for (const commit of commits) {
    if (!(await canHold(host, context, commit))) {
      throw new GitError("bad_request", "no repository of this host holds the commit");
    }
  }
}

/**
 * Forges keep a repository and its forks in one store, so that a pull's head is in the repository that it is proposed
 * to. Here it is copied when somebody names it.
 */
export async function canHold(host: RealGitContext, context: MirrorContext, commit: HeadSha): Promise<boolean> {
  if (await holds(context, commit)) return true;
  for (const other of await listHosted(host)) {
    if (other.gitDir === context.gitDir || !(await holds(other, commit))) continue;
    await copyHistory({ from: other, to: context }, commit);
    return true;
  }
  return false;
}

async function holds(context: MirrorContext, commit: HeadSha): Promise<boolean> {
  return (await findUnknown(context, [commit])) === undefined;
}

async function copyHistory(
  { from, to }: { readonly from: MirrorContext; readonly to: MirrorContext },
  commit: HeadSha,
): Promise<void> {
  const { stdout } = await mustRun(from.runGit, {
    args: ["pack-objects", "--revs", "--stdout", "-q"],
    gitDir: from.gitDir,
    input: Buffer.from(`${commit}\n`),
  });
  await mustRun(to.runGit, { args: ["unpack-objects", "-q"], gitDir: to.gitDir, input: stdout });
}
