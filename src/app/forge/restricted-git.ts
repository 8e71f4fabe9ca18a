import { type Protocol, readRemote } from "#git/read-remote.ts";
import type { Git, Mirror } from "#ports/git.ts";

/** Forges share one folder of mirrors, and an address from one forge must not use a protocol that another allows. */
export function restrictGit(git: Git, protocols: readonly Protocol[]): Git {
  const bound = (mirror: Mirror): Mirror => boundMirror(mirror, protocols);
  return {
    ensureMirror: async (request) => {
      readRemote(request.remote, protocols);
      return bound(await git.ensureMirror(request));
    },
    findMirror: async (key) => {
      const mirror = await git.findMirror(key);
      return mirror === undefined ? undefined : bound(mirror);
    },
    removeWorktree: (worktree) => git.removeWorktree(worktree),
    pruneWorktrees: (keep) => git.pruneWorktrees(keep),
  };
}

function boundMirror(mirror: Mirror, protocols: readonly Protocol[]): Mirror {
  return {
    ...mirror,
    fetchRefs: async (request) => {
      readRemote(request.remote, protocols);
      return await mirror.fetchRefs(request);
    },
    push: async (request) => {
      readRemote(request.remote, protocols);
      return await mirror.push(request);
    },
  };
}
