import { HeadSha } from "#core/model/ids.ts";
import { type RemoteAccess, readRemote } from "#git/read-remote.ts";
import { copyOf, fetchRun, forgetCopies, listCopies, refuseOverLimit, remoteName, tend } from "#git/real-mirror.ts";
import type { HistoryPlace, MirrorPlace } from "#git/real-place.ts";
import { listRemoteRefs } from "#git/real-remote-refs.ts";
import { readRef } from "#git/ref-name.ts";
import { failure, mustRun } from "#git/run-git.ts";
import type { Call, FetchedRefs, Remote } from "#ports/git.ts";

type RefsRequest = Call & { readonly remote: Remote; readonly refs: readonly string[] };

export async function fetchRealRefs(place: MirrorPlace, request: RefsRequest): Promise<FetchedRefs> {
  const refs = request.refs.map(readRef);
  const access = readRemote(request.remote, place.protocols);
  if (refs.length === 0) return [];
  return await place.turns.take(place.key, async () => {
    await tend(place);
    await refuseOverLimit(place);
    if (!(await tryFetch(place, access, { refs, signal: request.signal }))) {
      await fetchPresent(place, access, { refs, signal: request.signal });
    }
    const commits = await findCommits(place, refs.map(copyOf));
    return refs.map((ref, index) => ({ ref, commit: commits[index] ?? null }));
  });
}

type Wanted = Call & { readonly refs: readonly string[] };

/** One round trip where all is as usual. Whether and why it failed is asked afterwards: git tells that in prose alone. */
async function tryFetch(place: MirrorPlace, access: RemoteAccess, wanted: Wanted): Promise<boolean> {
  const ran = await place.runGit(refsRun(place, access, wanted));
  return ran.code === 0;
}

function refsRun(place: MirrorPlace, access: RemoteAccess, wanted: Wanted): ReturnType<typeof fetchRun> {
  const refspecs = [...new Set(wanted.refs)].map((ref) => `+${ref}:${copyOf(ref)}`);
  const run = fetchRun(place, access, { refspecs, signal: wanted.signal });
  return { ...run, args: [...run.args, "--atomic", "--stdin", remoteName] };
}

/** Forgets the copies of what the remote no longer has, then fetches the rest. */
async function fetchPresent(place: MirrorPlace, access: RemoteAccess, wanted: Wanted): Promise<void> {
  const present = await listRemoteRefs(place, { access, ...wanted });
  const refs = wanted.refs.filter((ref) => present.has(ref));
  const gone = wanted.refs.filter((ref) => !present.has(ref));
  await forgetCopies(place, [...gone.map(copyOf), ...(await findObstacles(place, refs.map(copyOf)))]);
  if (refs.length === 0) return;
  const run = refsRun(place, access, { ...wanted, refs });
  const ran = await place.runGit(run);
  if (ran.code !== 0) throw failure("unavailable", run, ran);
}

/** `a` and `a/b` cannot both be refs. As the remote has the one that is wanted, our copy of the other is out of date. */
async function findObstacles(place: MirrorPlace, copies: readonly string[]): Promise<readonly string[]> {
  const have = await listCopies(place);
  return have.filter((ref) => copies.some((copy) => copy.startsWith(`${ref}/`) || ref.startsWith(`${copy}/`)));
}

/** The commits behind names or ids, in the order asked; undefined for what is not there or is no commit. */
export async function findCommits(
  place: HistoryPlace,
  names: readonly string[],
): Promise<readonly (HeadSha | undefined)[]> {
  const { stdout } = await mustRun(place.runGit, {
    args: ["cat-file", "--batch-check=%(objectname)"],
    gitDir: place.gitDir,
    input: Buffer.from(names.map((name) => `${name}^{commit}\n`).join("")),
  });
  const lines = stdout.toString().split("\n");
  return names.map((_, index) => HeadSha.safeParse(lines[index]).data);
}
