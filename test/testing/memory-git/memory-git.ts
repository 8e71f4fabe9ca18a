import type { HeadSha } from "#core/model/ids.ts";
import { isJobName } from "#git/worktree-request.ts";
import { type Git, GitError } from "#ports/git.ts";
import type { MemoryFolder } from "#testing/memory-git/memory-folder.ts";
import type { MemoryHub } from "#testing/memory-git/memory-hub.ts";
import { memoryMirror } from "#testing/memory-git/memory-mirror.ts";
import { type MemoryState, openRemote, takeRef } from "#testing/memory-git/memory-state.ts";
import { isWorktreeFolder, worktreeFolder } from "#testing/memory-git/memory-worktree.ts";

export interface MemoryGit extends Git {
  /** The folder of a worktree by the name that the worktree gives, for the agent in it. */
  findFolder(path: string): MemoryFolder | undefined;
  /** What the mirror of a key holds of a ref of the remote. */
  mirroredRef(key: string, ref: string): HeadSha | undefined;
}

/**
 * One Drover's git in a simulated world: no processes, no files, no clock. What it does not model: limits on time and on
 * the size of mirrors, and credentials. Failures of the network are put around it, not into it.
 */
export function createMemoryGit(hub: MemoryHub): MemoryGit {
  const mirrors = new Map<string, MemoryState>();
  const folders = new Map<string, MemoryFolder>();
  return {
    async ensureMirror(request) {
      const refs = openRemote(hub, request.remote, request);
      const state = mirrors.get(request.key) ?? {
        hub,
        folders,
        key: request.key,
        refs: new Map(),
        known: new Set(),
      };
      mirrors.set(request.key, state);
      for (const ref of state.refs.keys()) if (isBranch(ref)) state.refs.delete(ref);
      for (const [ref, commit] of refs) if (isBranch(ref)) takeRef(state, ref, commit);
      return memoryMirror(state);
    },
    async findMirror(key) {
      const state = mirrors.get(key);
      return state === undefined ? undefined : memoryMirror(state);
    },
    async removeWorktree({ job }) {
      if (!isJobName(job)) throw new GitError("bad_request", "a job's name has letters, digits, dots and dashes");
      folders.delete(worktreeFolder(job));
    },
    async pruneWorktrees(keep) {
      const kept = new Set(keep.map(({ job }) => worktreeFolder(job)));
      const leftovers = [...folders.keys()].filter((folder) => isWorktreeFolder(folder) && !kept.has(folder));
      for (const folder of leftovers) folders.delete(folder);
      return leftovers.length;
    },
    findFolder: (path) => folders.get(path),
    mirroredRef: (key, ref) => mirrors.get(key)?.refs.get(ref),
  };
}

function isBranch(ref: string): boolean {
  return ref.startsWith("refs/heads/");
}
