import { HeadSha } from "#core/model/ids.ts";
import type { RemoteAccess } from "#git/read-remote.ts";
import type { RealGitContext } from "#git/real-git-context.ts";
import { failure, type GitRun } from "#git/run-git.ts";
import type { Cancellable } from "#ports/git.ts";

/** All where none is named. Git ends well without such refs, and shows longer names with the same end: look by name. */
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

/** In the configuration of this process: the address is in no file and no argument. */
export function withRemote(access: RemoteAccess, run: GitRun): GitRun {
  return { ...run, remote: access, config: [...(run.config ?? []), ["remote.drover.url", access.url]] };
}
