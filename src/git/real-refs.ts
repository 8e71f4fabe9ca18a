import { HeadSha } from "#core/model/ids.ts";
import { type RemoteAccess, readRemote } from "#git/read-remote.ts";
import type { HistoryContext, MirrorContext } from "#git/real-git-context.ts";
import {
  cleanUpMirror,
  copyOf,
  fetchRun,
  forgetCopies,
  listCopies,
  refuseOverLimit,
  remoteName,
} from "#git/real-mirror.ts";
import { listRemoteRefs } from "#git/real-remote-refs.ts";
import { readRef } from "#git/ref-name.ts";
import { failure, mustRun } from "#git/run-git.ts";
import type { Cancellable, FetchedRefs, Remote } from "#ports/git.ts";

type RefsRequest = Cancellable & { readonly remote: Remote; readonly refs: readonly string[] };

export async function fetchRealRefs(context: MirrorContext, request: RefsRequest): Promise<FetchedRefs> {
  const refs = request.refs.map(readRef);
  const access = readRemote(request.remote, context.protocols);
  if (refs.length === 0) return [];
  return await context.turns.run(context.key, async () => {
    await cleanUpMirror(context);
    await refuseOverLimit(context);
    if (!(await tryFetch(context, access, { refs, signal: request.signal }))) {
      await fetchPresent(context, access, { refs, signal: request.signal });
    }
    const commits = await findCommits(context, refs.map(copyOf));
    return refs.map((ref, index) => ({ ref, commit: commits[index] ?? null }));
  });
}

type Wanted = Cancellable & { readonly refs: readonly string[] };

/** One round trip in the usual case. Why it failed is asked afterwards: git tells that in prose alone. */
async function tryFetch(context: MirrorContext, access: RemoteAccess, wanted: Wanted): Promise<boolean> {
  const ran = await context.runGit(refsRun(context, access, wanted));
  return ran.code === 0;
}

function refsRun(context: MirrorContext, access: RemoteAccess, wanted: Wanted): ReturnType<typeof fetchRun> {
  const refspecs = [...new Set(wanted.refs)].map((ref) => `+${ref}:${copyOf(ref)}`);
  const run = fetchRun(context, access, { refspecs, signal: wanted.signal });
  return { ...run, args: [...run.args, "--atomic", "--stdin", remoteName] };
}

/** Forgets copies that the remote no longer has. */
async function fetchPresent(context: MirrorContext, access: RemoteAccess, wanted: Wanted): Promise<void> {
  const present = await listRemoteRefs(context, { access, ...wanted });
  const refs = wanted.refs.filter((ref) => present.has(ref));
  const gone = wanted.refs.filter((ref) => !present.has(ref));
  await forgetCopies(context, [...gone.map(copyOf), ...(await findObstacles(context, refs.map(copyOf)))]);
  if (refs.length === 0) return;
  const run = refsRun(context, access, { ...wanted, refs });
  const ran = await context.runGit(run);
  if (ran.code !== 0) throw failure("unavailable", run, ran);
}

/** `a` and `a/b` cannot both be refs, so our copy of the unwanted one is out of date. */
async function findObstacles(context: MirrorContext, copies: readonly string[]): Promise<readonly string[]> {
  const have = await listCopies(context);
  return have.filter((ref) => copies.some((copy) => copy.startsWith(`${ref}/`) || ref.startsWith(`${copy}/`)));
}

export async function findCommits(
  context: HistoryContext,
  names: readonly string[],
): Promise<readonly (HeadSha | undefined)[]> {
  const { stdout } = await mustRun(context.runGit, {
    args: ["cat-file", "--batch-check=%(objectname)"],
    gitDir: context.gitDir,
    input: Buffer.from(names.map((name) => `${name}^{commit}\n`).join("")),
  });
  const lines = stdout.toString().split("\n");
  return names.map((_, index) => HeadSha.safeParse(lines[index]).data);
}
