import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RemoteAccess, readRemote } from "#git/read-remote.ts";
import type { MirrorPlace } from "#git/real-place.ts";
import { listRemoteRefs, withRemote } from "#git/real-remote-refs.ts";
import { failure, type GitRun, mustRun } from "#git/run-git.ts";
import { syncTree } from "#git/sync-tree.ts";
import { type Call, GitError, type MirrorRequest } from "#ports/git.ts";

/** Where the remote's refs are kept: nothing that git does by itself looks there. */
const namespace = "refs/drover/remote/";

/** The local copy of a remote's ref. */
export function copyOf(ref: string): string {
  return namespace + ref.slice("refs/".length);
}

export async function ensureRealMirror(place: MirrorPlace, request: MirrorRequest): Promise<void> {
  const access = readRemote(request.remote, place.protocols);
  await place.turns.take(place.key, async () => {
    if (!(await isThere(place.gitDir))) await createMirror(place, access, request);
    await tend(place);
    await refuseOverLimit(place);
    const run = fetchRun(place, access, { signal: request.signal, refspecs: [`+refs/heads/*:${namespace}heads/*`] });
    const ran = await place.runGit({ ...run, args: [...run.args, "--prune", "--stdin", remoteName] });
    const { signal } = request;
    if (ran.code !== 0) await fetchSoundBranches(place, { access, signal, whole: failure("unavailable", run, ran) });
    await joinPacks(place);
  });
}

interface SoundBranches extends Call {
  readonly access: RemoteAccess;
  /** What became of the fetch of all of them. */
  readonly whole: GitError;
}

/**
 * Anybody who may push can push a branch whose tree is broken, and git fails a fetch as a whole. So the branches are
 * fetched by halves, and those by halves, until those that fail stand alone. Their copies are forgotten: whoever asks for
 * one of them by name is told what is the matter with it.
 */
async function fetchSoundBranches(place: MirrorPlace, { access, signal, whole }: SoundBranches): Promise<void> {
  const all = [...(await listRemoteRefs(place, { access, refs: [], signal })).keys()];
  const branches = all.filter((ref) => ref.startsWith("refs/heads/"));
  let fetches = 0;
  let sound = 0;
  const fetchHalves = async (refs: readonly string[]): Promise<void> => {
    const middle = Math.ceil(refs.length / 2);
    await fetchSome(refs.slice(0, middle));
    await fetchSome(refs.slice(middle));
  };
  const fetchSome = async (refs: readonly string[]): Promise<void> => {
    fetches++;
    // Where nothing can be fetched at all, or too much is broken, it is not for the sake of single branches.
    if (fetches > soundFetchesMax) throw whole;
    const run = fetchRun(place, access, { signal, refspecs: refs.map((ref) => `+${ref}:${copyOf(ref)}`) });
    const ran = await place.runGit({ ...run, args: [...run.args, "--stdin", remoteName] });
    if (ran.code === 0) sound += refs.length;
    else if (refs.length === 1) await forgetCopies(place, refs.map(copyOf));
    else await fetchHalves(refs);
  };
  if (branches.length < 2) throw whole;
  await fetchHalves(branches);
  if (sound === 0) throw whole;
  const copies = await listCopies(place);
  const kept = new Set(branches.map(copyOf));
  await forgetCopies(
    place,
    copies.filter((copy) => copy.startsWith(copyOf("refs/heads/")) && !kept.has(copy)),
  );
}

/** Enough for three broken branches among a hundred thousand. */
const soundFetchesMax = 100;

/** The copies of refs that the mirror has. */
export async function listCopies(place: MirrorPlace): Promise<readonly string[]> {
  const { stdout } = await mustRun(place.runGit, {
    args: ["for-each-ref", "--format=%(refname)", namespace.slice(0, -1)],
    gitDir: place.gitDir,
  });
  return stdout
    .toString()
    .split("\n")
    .filter((ref) => ref !== "");
}

export async function forgetCopies(place: MirrorPlace, copies: readonly string[]): Promise<void> {
  const input = Buffer.from([...new Set(copies)].map((copy) => `delete ${copy}\0\0`).join(""));
  await mustRun(place.runGit, { args: ["update-ref", "-z", "--stdin"], gitDir: place.gitDir, input });
}

/** Objects that nothing points to are kept: they may be heads of the past. */
async function joinPacks(place: MirrorPlace): Promise<void> {
  const names = await readdir(join(place.gitDir, "objects", "pack"));
  if (names.filter((name) => name.endsWith(".pack")).length <= place.limits.packsMax) return;
  await mustRun(place.runGit, { args: ["repack", "--geometric=2", "-d", "-q"], gitDir: place.gitDir });
}

/** Made beside its place and moved there when it is whole and on the disk: neither a crash nor a power cut leaves half of it. */
async function createMirror(place: MirrorPlace, access: RemoteAccess, call: Call): Promise<void> {
  const refs = await listRemoteRefs(place, { access, refs: [], signal: call.signal });
  const [some] = refs.values();
  const format = some?.length === 64 ? "sha256" : "sha1";
  const half = `${place.gitDir}.half`;
  await rm(half, { recursive: true, force: true });
  const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, "--initial-branch=none", half];
  await mustRun(place.runGit, { args });
  await mkdir(join(half, "info"), { recursive: true });
  await writeFile(join(half, "info", "attributes"), attributes);
  await syncTree(half);
  await rename(half, place.gitDir);
}

/**
 * The strongest place for attributes, with the last word about every file: nothing that a repository says can change its
 * bytes on the way to a folder, keep a file out of a diff, or name a driver for it.
 */
export const attributes =
  "* -text -ident -filter -working-tree-encoding !eol !diff !merge !export-ignore !export-subst\n";

export async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** What a killed git process leaves behind would stop its successors. This process alone uses the mirror, so it may go. */
export async function tend(place: MirrorPlace): Promise<void> {
  if (place.tended.has(place.key)) return;
  const [top, refs, packs] = await Promise.all([
    readdir(place.gitDir),
    readdir(join(place.gitDir, "refs"), { recursive: true }),
    readdir(join(place.gitDir, "objects", "pack")),
  ]);
  const leftovers = [
    ...top.filter((name) => name.endsWith(".lock")),
    ...refs.filter((name) => name.endsWith(".lock")).map((name) => join("refs", name)),
    ...packs.filter((name) => name.startsWith("tmp_")).map((name) => join("objects", "pack", name)),
  ];
  for (const name of leftovers) await rm(join(place.gitDir, name), { force: true });
  place.tended.add(place.key);
}

export const remoteName = "drover";

interface FetchOptions extends Call {
  readonly refspecs: readonly string[];
}

/** A fetch of refspecs that are given on its input; `--stdin` and the remote's name are still to be added. */
export function fetchRun(place: MirrorPlace, access: RemoteAccess, options: FetchOptions): GitRun {
  return withRemote(access, {
    args: [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-auto-maintenance",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
      "--no-show-forced-updates",
    ],
    gitDir: place.gitDir,
    input: Buffer.from(options.refspecs.map((refspec) => `${refspec}\n`).join("")),
    signal: options.signal,
    measure: () => measureMirror(place),
  });
}

/** A mirror that is already too large does not grow further. */
export async function refuseOverLimit(place: MirrorPlace): Promise<void> {
  const why = await measureMirror(place);
  if (why !== undefined) throw new GitError("over_limit", why);
}

async function measureMirror(place: MirrorPlace): Promise<string | undefined> {
  const folder = join(place.gitDir, "objects", "pack");
  let bytes = 0;
  for (const name of await readdir(folder)) {
    bytes += await stat(join(folder, name)).then(
      (found) => found.size,
      () => 0,
    );
  }
  const { mirrorBytesMax } = place.limits;
  return bytes > mirrorBytesMax ? `the mirror is larger than mirrorBytesMax, which is ${mirrorBytesMax}` : undefined;
}
