import { chmod, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatOf } from "#git/object-id.ts";
import type { MirrorContext, RealGitContext } from "#git/real-git-context.ts";
import { findUnknown } from "#git/real-history.ts";
import { listFiles } from "#git/real-tree.ts";
import { mustRun } from "#git/run-git.ts";
import { isJobName, isUnwritable, sumBytes } from "#git/worktree-request.ts";
import { GitError, type Worktree, type WorktreeAdded, type WorktreeRequest } from "#ports/git.ts";

export async function addRealWorktree(context: MirrorContext, request: WorktreeRequest): Promise<WorktreeAdded> {
  if (!isJobName(request.job)) throw new GitError("bad_request", "a job's name has letters, digits, dots and dashes");
  const unknown = await findUnknown(context, [request.commit]);
  if (unknown !== undefined) return unknown;
  const { entries, isCut } = await listFiles(context, { ...request, tree: request.commit });
  if (isCut) return { kind: "over_limit", limit: "entriesMax", max: request.entriesMax };
  if (sumBytes(entries) > request.bytesMax) return { kind: "over_limit", limit: "bytesMax", max: request.bytesMax };
  if (entries.some(isUnwritable)) return { kind: "unwritable" };
  const own = join(context.worktrees, request.job);
  const worktree = { job: request.job, folder: join(own, "tree"), home: join(own, "home") };
  await removeWhole(own);
  await mkdir(worktree.folder, { recursive: true });
  await mkdir(worktree.home);
  await writeFiles(context, request, worktree);
  if (request.history.kind === "copied") await copyHistory(context, request, { worktree, ...request.history });
  return { kind: "added", worktree };
}

/** The mirror's attributes keep every byte. The index is thrown away: the folder is only files. */
async function writeFiles(context: MirrorContext, request: WorktreeRequest, { folder }: Worktree): Promise<void> {
  const scratch = await mkdtemp(join(context.scratch, "worktree-"));
  const step = {
    gitDir: context.gitDir,
    environment: { GIT_INDEX_FILE: join(scratch, "index"), GIT_WORK_TREE: folder },
    signal: request.signal,
  };
  try {
    await mustRun(context.runGit, { ...step, args: ["read-tree", "--end-of-options", request.commit] });
    await mustRun(context.runGit, { ...step, args: ["checkout-index", "--all", "--quiet"] });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Filled by a fetch, not by links into the mirror. Made before the agent is there, never opened after. */
async function copyHistory(
  context: MirrorContext,
  { commit, signal }: WorktreeRequest,
  { worktree, commitsMax }: { readonly worktree: Worktree; readonly commitsMax: number },
): Promise<void> {
  const format = `--object-format=${formatOf(commit)}`;
  const init = ["init", "--quiet", "--template=", format, "--initial-branch=main", "--end-of-options", worktree.folder];
  await mustRun(context.runGit, { args: init, signal });
  const step = { gitDir: join(worktree.folder, ".git"), signal };
  const remote = { url: context.gitDir, protocol: "file", config: [], secrets: [] } as const;
  const flags = ["--quiet", "--no-tags", "--no-auto-maintenance", "--no-write-fetch-head", `--depth=${commitsMax}`];
  const fetch = ["fetch", ...flags, "--end-of-options", context.gitDir, commit];
  await mustRun(context.runGit, { ...step, args: fetch, remote });
  await mustRun(context.runGit, { ...step, args: ["update-ref", "--no-deref", "HEAD", commit] });
  await mustRun(context.runGit, { ...step, args: ["read-tree", "--end-of-options", commit] });
}

export async function removeRealWorktree(context: RealGitContext, { job }: Worktree): Promise<void> {
  if (!isJobName(job)) throw new GitError("bad_request", "a job's name has letters, digits, dots and dashes");
  await removeWhole(join(context.worktrees, job));
}

export async function pruneRealWorktrees(context: RealGitContext, keep: readonly Worktree[]): Promise<number> {
  const kept = new Set(keep.map(({ job }) => job));
  const leftovers = (await readdir(context.worktrees)).filter((name) => !kept.has(name));
  for (const name of leftovers) await removeWhole(join(context.worktrees, name));
  return leftovers.length;
}

async function removeWhole(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    // An agent may leave folders that not even their owner may enter.
    await unlock(Buffer.from(folder));
    await rm(folder, { recursive: true, force: true });
  }
}

async function unlock(folder: Buffer): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory()) return;
  await chmod(folder, 0o700);
  for (const name of await readdir(folder, { encoding: "buffer" })) {
    await unlock(Buffer.concat([folder, Buffer.from("/"), name]));
  }
}
