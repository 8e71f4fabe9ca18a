import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { defaultGitLimits, type GitLimits } from "#git/git-limits.ts";
import { readNetwork } from "#git/git-network.ts";
import { checkGitVersion } from "#git/git-version.ts";
import { createKeyedLock } from "#git/keyed-lock.ts";
import type { Protocol } from "#git/read-remote.ts";
import { commitRealTree } from "#git/real-commit.ts";
import { readRealDiff, realPatchOf } from "#git/real-diff.ts";
import { type MirrorContext, mirrorContext, type RealGitContext } from "#git/real-git-context.ts";
import { grepReal } from "#git/real-grep.ts";
import { findRealTree, readRealLog, realAncestry, realMergeBase } from "#git/real-history.ts";
import { importRealResult } from "#git/real-import.ts";
import { ensureRealMirror, isThere } from "#git/real-mirror.ts";
import { pushReal } from "#git/real-push.ts";
import { fetchRealRefs } from "#git/real-refs.ts";
import { listRealTree, readRealFile } from "#git/real-tree.ts";
import { addRealWorktree, pruneRealWorktrees, removeRealWorktree } from "#git/real-worktree.ts";
import { createRunGit } from "#git/run-git.ts";
import type { Git, Mirror } from "#ports/git.ts";

export interface RealGitOptions {
  /** Of this process alone; its content survives restarts. */
  readonly folder: string;
  readonly searchPath: string;
  /** `https` for a forge, `file` and `http` for this machine. */
  readonly protocols: readonly Protocol[];
  readonly limits?: Partial<GitLimits>;
  /** Only proxies and certificates in it reach git. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function createRealGit(options: RealGitOptions): Promise<Git> {
  const context = await preparePlace(options);
  await checkGitVersion(context.runGit);
  return {
    ensureMirror: async (request) => {
      const mirror = mirrorContext(context, request.key);
      await ensureRealMirror(mirror, request);
      return mirrorOf(mirror);
    },
    findMirror: async (key) => {
      const mirror = mirrorContext(context, key);
      return (await isThere(mirror.gitDir)) ? mirrorOf(mirror) : undefined;
    },
    removeWorktree: (worktree) => removeRealWorktree(context, worktree),
    pruneWorktrees: (keep) => pruneRealWorktrees(context, keep),
  };
}

async function preparePlace(options: RealGitOptions): Promise<RealGitContext> {
  const limits = { ...defaultGitLimits, ...options.limits };
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const root = await realpath(options.folder);
  const [mirrors, worktrees] = [join(root, "mirrors"), join(root, "worktrees")];
  const [scratch, home] = [join(root, "scratch"), join(root, "home")];
  // Leftovers of a former process; a home must be empty.
  for (const folder of [scratch, home]) await rm(folder, { recursive: true, force: true });
  for (const folder of [mirrors, worktrees, scratch, home]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const wayTo = await readNetwork(options.env, join(root, "certificates.pem"));
  const runGit = createRunGit({ searchPath: options.searchPath, home, limits, wayTo });
  const { protocols } = options;
  const memory = { turns: createKeyedLock(), tended: new Set<string>(), known: new Map<string, Set<string>>() };
  return { runGit, limits, protocols, mirrors, worktrees, scratch, ...memory };
}

function mirrorOf(context: MirrorContext): Mirror {
  return {
    key: context.key,
    fetchRefs: (request) => fetchRealRefs(context, request),
    findTree: (commit) => findRealTree(context, commit),
    ancestry: (request) => realAncestry(context, request),
    mergeBase: (request) => realMergeBase(context, request),
    diff: (request) => readRealDiff(context, request),
    patchOf: (request) => realPatchOf(context, request),
    readFile: (request) => readRealFile(context, request),
    listTree: (request) => listRealTree(context, request),
    grep: (request) => grepReal(context, request),
    logOf: (request) => readRealLog(context, request),
    addWorktree: (request) => addRealWorktree(context, request),
    importResult: (request) => importRealResult(context, request),
    commitTree: (request) => commitRealTree(context, request),
    push: (request) => pushReal(context, request),
  };
}
