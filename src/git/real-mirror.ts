import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { type RemoteAccess, readRemote } from "#git/read-remote.ts";
import { type MirrorContext } from "#git/real-git-context.ts";
import { listRemoteRefs, withRemote } from "#git/real-remote-refs.ts";
import { failure, type GitRun, mustRun } from "#git/run-git.ts";
import { type Cancellable, GitError, type MirrorRequest } from "#ports/git.ts";

/** Nothing that git does by itself looks there. */
const namespace = "refs/drover/remote/";

export function copyOf(ref: string): string {
  return namespace + ref.slice("refs/".length);
}

export async function ensureRealMirror(context: MirrorContext, request: MirrorRequest): Promise<void> {
  const access = readRemote(request.remote, context.protocols);
  await context.turns.run(context.key, async () => {
    if (!(await isThere(context.gitDir))) await createMirror(context, access, request);
    await cleanUpMirror(context);
    await refuseOverLimit(context);
    const run = fetchRun(context, access, { signal: request.signal, refspecs: [`+refs/heads/*:${namespace}heads/*`] });
    const ran = await context.runGit({ ...run, args: [...run.args, "--prune", "--stdin", remoteName] });
    const { signal } = request;
    if (ran.code !== 0) await fetchSoundBranches(context, { access, signal, whole: failure("unavailable", run, ran) });
    await joinPacks(context);
  });
}

interface SoundBranches extends Cancellable {
  readonly access: RemoteAccess;
  readonly whole: GitError;
}

/**
 * Anybody can push a broken tree, and git fails the whole fetch. So halves are fetched until the broken branches stand
 * alone; their copies are forgotten, and who names one gets the reason.
 */
async function fetchSoundBranches(context: MirrorContext, { access, signal, whole }: SoundBranches): Promise<void> {
  const all = [...(await listRemoteRefs(context, { access, refs: [], signal })).keys()];
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
    // Nothing can be fetched at all, or too much is broken.
    if (fetches > soundFetchesMax) throw whole;
    const run = fetchRun(context, access, { signal, refspecs: refs.map((ref) => `+${ref}:${copyOf(ref)}`) });
    const ran = await context.runGit({ ...run, args: [...run.args, "--stdin", remoteName] });
    if (ran.code === 0) sound += refs.length;
    else if (refs.length === 1) await forgetCopies(context, refs.map(copyOf));
    else await fetchHalves(refs);
  };
  if (branches.length < 2) throw whole;
  await fetchHalves(branches);
  if (sound === 0) throw whole;
  const copies = await listCopies(context);
  const kept = new Set(branches.map(copyOf));
  await forgetCopies(
    context,
    copies.filter((copy) => copy.startsWith(copyOf("refs/heads/")) && !kept.has(copy)),
  );
}

/** Enough for three broken branches among a hundred thousand. */
const soundFetchesMax = 100;

export async function listCopies(context: MirrorContext): Promise<readonly string[]> {
  const { stdout } = await mustRun(context.runGit, {
    args: ["for-each-ref", "--format=%(refname)", namespace.slice(0, -1)],
    gitDir: context.gitDir,
  });
  return stdout
    .toString()
    .split("\n")
    .filter((ref) => ref !== "");
}

export async function forgetCopies(context: MirrorContext, copies: readonly string[]): Promise<void> {
  const input = Buffer.from([...new Set(copies)].map((copy) => `delete ${copy}\0\0`).join(""));
  await mustRun(context.runGit, { args: ["update-ref", "-z", "--stdin"], gitDir: context.gitDir, input });
}

/** Unreferenced objects are kept: they may be heads of the past. */
async function joinPacks(context: MirrorContext): Promise<void> {
  const names = await readdir(join(context.gitDir, "objects", "pack"));
  if (names.filter((name) => name.endsWith(".pack")).length <= context.limits.packsMax) return;
  await mustRun(context.runGit, { args: ["repack", "--geometric=2", "-d", "-q"], gitDir: context.gitDir });
}

/** Moved into place when whole and on disk: no crash or power cut leaves half of it. */
async function createMirror(context: MirrorContext, access: RemoteAccess, call: Cancellable): Promise<void> {
  const refs = await listRemoteRefs(context, { access, refs: [], signal: call.signal });
  const [some] = refs.values();
  const format = some?.length === 64 ? "sha256" : "sha1";
  const half = `${context.gitDir}.half`;
  await rm(half, { recursive: true, force: true });
  const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, "--initial-branch=none", half];
  await mustRun(context.runGit, { args });
  await mkdir(join(half, "info"), { recursive: true });
  await writeFile(join(half, "info", "attributes"), attributes);
  await fsyncTree(half);
  await rename(half, context.gitDir);
}

/** The strongest place for attributes: nothing in a repository can change its bytes, leave a diff or name a driver. */
export const attributes =
  "* -text -ident -filter -working-tree-encoding !eol !diff !merge !export-ignore !export-subst\n";

export async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** Files of a killed git process would stop the next. This process alone uses the mirror, so they may go. */
export async function cleanUpMirror(context: MirrorContext): Promise<void> {
  if (context.tended.has(context.key)) return;
  const [top, refs, packs] = await Promise.all([
    readdir(context.gitDir),
    readdir(join(context.gitDir, "refs"), { recursive: true }),
    readdir(join(context.gitDir, "objects", "pack")),
  ]);
  const leftovers = [
    ...top.filter((name) => name.endsWith(".lock")),
    ...refs.filter((name) => name.endsWith(".lock")).map((name) => join("refs", name)),
    ...packs.filter((name) => name.startsWith("tmp_")).map((name) => join("objects", "pack", name)),
  ];
  for (const name of leftovers) await rm(join(context.gitDir, name), { force: true });
  context.tended.add(context.key);
}

export const remoteName = "drover";

interface FetchOptions extends Cancellable {
  readonly refspecs: readonly string[];
}

/** Refspecs come on the input; `--stdin` and the remote's name are still to be added. */
export function fetchRun(context: MirrorContext, access: RemoteAccess, options: FetchOptions): GitRun {
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
    gitDir: context.gitDir,
    input: Buffer.from(options.refspecs.map((refspec) => `${refspec}\n`).join("")),
    signal: options.signal,
    measure: () => measureMirror(context),
  });
}

export async function refuseOverLimit(context: MirrorContext): Promise<void> {
  const why = await measureMirror(context);
  if (why !== undefined) throw new GitError("over_limit", why);
}

async function measureMirror(context: MirrorContext): Promise<string | undefined> {
  const folder = join(context.gitDir, "objects", "pack");
  let bytes = 0;
  for (const name of await readdir(folder)) {
    bytes += await stat(join(folder, name)).then(
      (found) => found.size,
      () => 0,
    );
  }
  const { mirrorBytesMax } = context.limits;
  return bytes > mirrorBytesMax ? `the mirror is larger than mirrorBytesMax, which is ${mirrorBytesMax}` : undefined;
}

/** Git syncs its objects alone; this syncs all, names included. */
async function fsyncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) await sync(join(entry.parentPath, entry.name));
  }
  await sync(folder);
  await sync(dirname(folder));
}

async function sync(path: string): Promise<void> {
  // Windows cannot open folders, and syncs files only for those who may write them.
  if (platform() === "win32") return;
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
