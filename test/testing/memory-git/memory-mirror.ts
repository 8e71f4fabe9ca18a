import type { HeadSha } from "#core/model/ids.ts";
import { readPath } from "#git/byte-path.ts";
import { patchBytesMax, patchIdOf } from "#git/real-diff.ts";
import { readRef } from "#git/ref-name.ts";
import {
  type Cancellable,
  type CommitLog,
  type CommitPair,
  type CommitRequest,
  type DiffRead,
  type FetchedRefs,
  GitError,
  type MergeBase,
  type Mirror,
  type Remote,
} from "#ports/git.ts";
import { diffTrees } from "#testing/memory-git/memory-diff.ts";
import { grepMemory } from "#testing/memory-git/memory-grep.ts";
import { bestCommonAncestors, historyOf, logOfPath } from "#testing/memory-git/memory-history.ts";
import { storeCommit } from "#testing/memory-git/memory-hub.ts";
import { importMemoryResult } from "#testing/memory-git/memory-import.ts";
import { pushMemory } from "#testing/memory-git/memory-push.ts";
import { filesOf, findUnknownIn, type MemoryState, openRemote, takeRef } from "#testing/memory-git/memory-state.ts";
import { listMemoryTree, readMemoryFile } from "#testing/memory-git/memory-tree.ts";
import { addMemoryWorktree } from "#testing/memory-git/memory-worktree.ts";

export function memoryMirror(state: MemoryState): Mirror {
  const { objects } = state.hub;
  return {
    key: state.key,
    fetchRefs: async (request) => fetchMemoryRefs(state, request),
    findTree: async (commit) => (state.known.has(commit) ? objects.commits.get(commit)?.tree : undefined),
    ancestry: async ({ older, newer }) => {
      if (findUnknownIn(state, [older, newer]) !== undefined) return "unknown";
      return historyOf(objects, newer).has(older) ? "ancestor" : "not_ancestor";
    },
    mergeBase: async (request) => findMergeBase(state, request),
    diff: async (request) => readMemoryDiff(state, request),
    patchOf: async (request) => {
      const read = readMemoryDiff(state, { ...request, bytesMax: patchBytesMax });
      return patchIdOf(findMergeBase(state, request), read);
    },
    readFile: async (request) => readMemoryFile(state, request),
    listTree: async (request) => listMemoryTree(state, request),
    grep: async (request) => grepMemory(state, request),
    logOf: async (request) => readMemoryLog(state, request),
    addWorktree: async (request) => addMemoryWorktree(state, request),
    importResult: (request) => importMemoryResult(state, request),
    commitTree: async (request) => commitMemoryTree(state, request),
    push: async (request) => pushMemory(state, request),
  };
}

function fetchMemoryRefs(
  state: MemoryState,
  request: Cancellable & { readonly remote: Remote; readonly refs: readonly string[] },
): FetchedRefs {
  const refs = request.refs.map(readRef);
  const remote = openRemote(state.hub, request.remote, request);
  return refs.map((ref) => {
    const commit = remote.get(ref) ?? null;
    if (commit === null) state.refs.delete(ref);
    else takeRef(state, ref, commit);
    return { ref, commit };
  });
}

function findMergeBase(state: MemoryState, request: CommitPair): MergeBase {
  const unknown = findUnknownIn(state, [request.base, request.head]);
  if (unknown !== undefined) return unknown;
  const all = bestCommonAncestors(state.hub.objects, request);
  const [commit] = all;
  return commit === undefined ? { kind: "unrelated" } : { kind: "found", commit, all };
}

function readMemoryDiff(
  state: MemoryState,
  request: Cancellable & CommitPair & { readonly bytesMax: number },
): DiffRead {
  const mergeBase = findMergeBase(state, request);
  if (mergeBase.kind !== "found") return mergeBase;
  const bytes = diffTrees(state.hub.objects, filesOf(state, mergeBase.commit), filesOf(state, request.head));
  if (bytes.length > request.bytesMax) return { kind: "over_limit", limit: "bytesMax", max: request.bytesMax };
  return { kind: "diff", bytes, mergeBase: mergeBase.commit };
}

function readMemoryLog(
  state: MemoryState,
  request: { readonly commit: HeadSha; readonly path: string; readonly entriesMax: number },
): CommitLog {
  const unknown = findUnknownIn(state, [request.commit]);
  if (unknown !== undefined) return unknown;
  const path = readPath(request.path);
  const entries = path === undefined ? [] : logOfPath(state.hub.objects, request.commit, path);
  return { kind: "log", entries: entries.slice(0, request.entriesMax), isCut: entries.length > request.entriesMax };
}

function commitMemoryTree(state: MemoryState, request: CommitRequest): HeadSha {
  const unknown = findUnknownIn(state, request.parents);
  if (unknown !== undefined || !state.hub.objects.trees.has(request.tree)) {
    throw new GitError("bad_request", "the mirror lacks the tree or a parent of the commit");
  }
  const commit = storeCommit(state.hub.objects, request);
  state.known.add(commit);
  return commit;
}
