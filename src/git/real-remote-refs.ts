import { HeadSha } from "#core/model/ids.ts";
import type { RemoteAccess } from "#git/read-remote.ts";
import type { RealGitContext } from "#git/real-git-context.ts";
import { failure, type GitRun } from "#git/run-git.ts";
import type { Cancellable } from "#ports/git.ts";

/**
 * Where the remote's refs are right now; all of them where none is named. That git ends well says nothing: it does so for
 * refs that do not exist, too. It also shows longer names that end like one that was asked for, so look by the name.
 */
export async function listRemoteRefs(
  context: RealGitContext,
  options: Cancellable & { readonly access: RemoteAccess; readonly refs: readonly string[] },
): Promise<ReadonlyMap<string, HeadSha>> {
  const args = ["ls-remote", "--quiet", "--end-of-options", "drover", ...options.refs];
  const run = withRemote(options.access, { args, signal: options.signal });
  const ran = await context.runGit(run);
  if (ran.code !== 0) throw failure("unavailable", run, ran);
  const found = new Map<string, HeadSha>();
  for (const line of ran.stdout.toString().split("\n")) {
    const [id, ref] = line.split("\t");
    const commit = HeadSha.safeParse(id);
    if (ref !== undefined && commit.success) found.set(ref, commit.data);
  }
  return found;
}

/** Names the remote in the configuration of this one process: its address is in no file and no argument of ours. */
export function withRemote(access: RemoteAccess, run: GitRun): GitRun {
  return { ...run, remote: access, config: [...(run.config ?? []), ["remote.drover.url", access.url]] };
}
