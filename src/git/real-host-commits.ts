import type { HeadSha } from "#core/model/ids.ts";
import { findUnknown } from "#git/real-history.ts";
import { listHosted } from "#git/real-host-place.ts";
import type { MirrorPlace, Place } from "#git/real-place.ts";
import { mustRun } from "#git/run-git.ts";
import { GitError } from "#ports/git.ts";

/** Ends with an error unless the repository holds these commits, or can get them from its neighbours. */
export async function mustHold(host: Place, place: MirrorPlace, commits: readonly HeadSha[]): Promise<void> {
  for (const commit of commits) {
    if (!(await canHold(host, place, commit))) {
      throw new GitError("bad_request", "no repository of this host holds the commit");
    }
  }
}

/**
 * Forges keep a repository and its forks in one store, so that a pull's head is in the repository that it is proposed
 * to. Here it is copied when somebody names it.
 */
export async function canHold(host: Place, place: MirrorPlace, commit: HeadSha): Promise<boolean> {
  if (await holds(place, commit)) return true;
  for (const other of await listHosted(host)) {
    if (other.gitDir === place.gitDir || !(await holds(other, commit))) continue;
    await copyHistory({ from: other, to: place }, commit);
    return true;
  }
  return false;
}

async function holds(place: MirrorPlace, commit: HeadSha): Promise<boolean> {
  return (await findUnknown(place, [commit])) === undefined;
}

async function copyHistory(
  { from, to }: { readonly from: MirrorPlace; readonly to: MirrorPlace },
  commit: HeadSha,
): Promise<void> {
  const { stdout } = await mustRun(from.runGit, {
    args: ["pack-objects", "--revs", "--stdout", "-q"],
    gitDir: from.gitDir,
    input: Buffer.from(`${commit}\n`),
  });
  await mustRun(to.runGit, { args: ["unpack-objects", "-q"], gitDir: to.gitDir, input: stdout });
}
