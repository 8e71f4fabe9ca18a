import type { HeadSha } from "#core/model/ids.ts";
import type { Tree } from "#git/folder-source.ts";
import { readRemote } from "#git/read-remote.ts";
import { type Cancellable, GitError, type Remote, type UnknownCommit } from "#ports/git.ts";
import type { MemoryFolder } from "#testing/memory-git/memory-folder.ts";
import { historyOf } from "#testing/memory-git/memory-history.ts";
import type { MemoryHub } from "#testing/memory-git/memory-hub.ts";

/** One mirror in a simulated world: refs of the remote as last seen, and the commits that ever came with them. */
export interface MemoryState {
  readonly hub: MemoryHub;
  /** Folders in which agents work, by the names that worktrees give them. */
  readonly folders: Map<string, MemoryFolder>;
  readonly key: string;
  readonly refs: Map<string, HeadSha>;
  readonly known: Set<HeadSha>;
}

/** The refs of a remote as they are now. */
export function openRemote(hub: MemoryHub, remote: Remote, call: Cancellable): ReadonlyMap<string, HeadSha> {
  const access = readRemote(remote, ["https", "http", "file"]);
  if (call.signal?.aborted === true) throw new GitError("cancelled", "the call was cancelled");
  const refs = hub.refsOf(access.url);
  if (refs === undefined) throw new GitError("unavailable", "there is no such remote");
  return refs;
}

/** Fetches a ref with its whole history. */
export function takeRef({ hub, refs, known }: MemoryState, ref: string, commit: HeadSha): void {
  refs.set(ref, commit);
  if (known.has(commit)) return;
  for (const id of historyOf(hub.objects, commit)) known.add(id);
}

export function findUnknownIn(state: MemoryState, commits: readonly HeadSha[]): UnknownCommit | undefined {
  const commit = commits.find((each) => !state.known.has(each));
  return commit === undefined ? undefined : { kind: "unknown_commit", commit };
}

export function filesOf({ hub }: MemoryState, commit: HeadSha): Tree {
  const tree = hub.objects.commits.get(commit)?.tree;
  return (tree === undefined ? undefined : hub.objects.trees.get(tree)) ?? new Map();
}
