import type { HeadSha } from "#core/model/ids.ts";
import { foldersAbove } from "#git/byte-path.ts";
import type { Tree, TreeFile } from "#git/folder-source.ts";
import { type ReadChanges, readHostChanges } from "#git/real-host.ts";
import { readHostName } from "#git/real-host-repositories.ts";
import { readRef } from "#git/ref-name.ts";
import { type CommitPair, GitError, type TreeId } from "#ports/git.ts";
import type { GitHost, HostCommit, HostMerge } from "#ports/git-host.ts";
import { diffTrees } from "#testing/memory-git/memory-diff.ts";
import { bestCommonAncestors } from "#testing/memory-git/memory-history.ts";
import { mergeMemory } from "#testing/memory-git/memory-host-merge.ts";
import { type MemoryHub, storeCommit, storeFile, storeTree } from "#testing/memory-git/memory-hub.ts";

type HostDiff = { readonly bytes: Uint8Array; readonly mergeBase: HeadSha } | undefined;

interface HostState {
  readonly hub: MemoryHub;
  readonly urls: Set<string>;
  /** Commits that came here. The hub holds more: what Drover made and has not pushed. */
  readonly known: Set<HeadSha>;
  /** By both commits. What a commit holds never changes, so neither does what two have to do with each other. */
  readonly diffs: Map<string, HostDiff>;
  readonly merges: Map<string, TreeId | undefined>;
}

/** A pull is looked at many times between two pushes; older comparisons are made again where they are needed. */
const comparisonsKeptMax = 500;

/**
 * Repositories of a simulated forge, on the hub from which `createMemoryGit` fetches. As with a forge that keeps forks in
 * one store, a commit that is in one repository can be named in all of them.
 */
export function createMemoryHost(hub: MemoryHub): GitHost {
  const state: HostState = { hub, urls: new Set(), known: new Set(), diffs: new Map(), merges: new Map() };
  return {
    async createRepository(name) {
      const url = urlOf(name);
      if (hub.refsOf(url) !== undefined) throw new GitError("bad_request", "there is a repository of this name");
      hub.createRemote(url);
      state.urls.add(url);
    },
    remoteOf: (name) => ({ url: urlOf(name), credential: null }),
    commit: async (request) => commitChanges(state, request),
    async setRef({ repository, ref, to }) {
      const refs = openRefs(state, repository);
      if (to !== null) mustKnow(state, [to]);
      if (to !== null && standsInTheWay(refs, ref)) throw new GitError("failed", "another ref stands in the way");
      // What was pushed stays, also where nothing points to it any more.
      learn(state, refs.get(ref));
      hub.setRef({ url: urlOf(repository), ref: readRef(ref), to });
    },
    async refsOf(repository) {
      const refs = openRefs(state, repository);
      for (const commit of refs.values()) learn(state, commit);
      return new Map(refs);
    },
    async diff({ repository, base, head }) {
      openRefs(state, repository);
      mustKnow(state, [base, head]);
      const found = findDiff(state, { base, head });
      // A copy: what callers do with it must not change the next answer.
      return found && { ...found, bytes: found.bytes.slice() };
    },
    async isAncestor({ repository, older, newer }) {
      openRefs(state, repository);
      mustKnow(state, [older, newer]);
      return isPartOf(state, older, newer);
    },
    async findTree({ repository, commit }) {
      openRefs(state, repository);
      return isKnown(state, commit) ? hub.objects.commits.get(commit)?.tree : undefined;
    },
    mergeCommit: async (request) => commitMerge(state, request),
  };
}

/** An address that `createMemoryGit` takes. Nothing lies there. */
function urlOf(name: string): string {
  return `/memory/host/${readHostName(name)}.git`;
}

function openRefs({ hub, urls }: HostState, repository: string): ReadonlyMap<string, HeadSha> {
  const url = urlOf(repository);
  const refs = urls.has(url) ? hub.refsOf(url) : undefined;
  if (refs === undefined) throw new GitError("bad_request", "there is no repository of this name");
  return refs;
}

/** Git keeps refs as files: `a` and `a/b` cannot both be there. */
function standsInTheWay(refs: ReadonlyMap<string, HeadSha>, ref: string): boolean {
  if (refs.has(ref)) return false;
  for (const other of refs.keys()) if (other.startsWith(`${ref}/`) || ref.startsWith(`${other}/`)) return true;
  return false;
}

function mustKnow(state: HostState, commits: readonly HeadSha[]): void {
  if (commits.every((commit) => isKnown(state, commit))) return;
  throw new GitError("bad_request", "no repository of this host holds the commit");
}

/** Pushes come through the hub, so their objects are found when they are read. */
function isKnown(state: HostState, commit: HeadSha): boolean {
  if (state.known.has(commit)) return true;
  for (const url of state.urls) for (const at of state.hub.refsOf(url)?.values() ?? []) learn(state, at);
  return state.known.has(commit);
}

function learn({ hub, known }: HostState, commit: HeadSha | undefined): void {
  const unseen = [commit];
  for (let id = unseen.pop(); id !== undefined; id = unseen.pop()) {
    if (known.has(id)) continue;
    known.add(id);
    unseen.push(...(hub.objects.commits.get(id)?.parents ?? []));
  }
}

function commitChanges(state: HostState, request: HostCommit): HeadSha {
  openRefs(state, request.repository);
  mustKnow(state, request.parents);
  const [parent] = request.parents;
  const files = new Map(parent === undefined ? [] : treeOf(state, parent));
  applyChanges(state, files, readHostChanges(request.changes));
  return storeNew(state, request, { tree: storeTree(state.hub.objects, files), parents: request.parents });
}

function applyChanges({ hub }: HostState, files: Map<string, TreeFile>, { gone, written }: ReadChanges): void {
  for (const path of gone) files.delete(path);
  for (const [path, content] of written) {
    for (const folder of foldersAbove(path)) files.delete(folder);
    if (!files.has(path)) for (const other of files.keys()) if (other.startsWith(`${path}/`)) files.delete(other);
    files.set(path, storeFile(hub.objects, { mode: "100644", content }));
  }
}

function storeNew(
  state: HostState,
  { message, author, at }: Pick<HostCommit, "message" | "author" | "at">,
  made: { readonly tree: TreeId; readonly parents: readonly HeadSha[] },
): HeadSha {
  const commit = storeCommit(state.hub.objects, { ...made, message, identity: author, at });
  state.known.add(commit);
  return commit;
}

function commitMerge(state: HostState, request: HostMerge): Awaited<ReturnType<GitHost["mergeCommit"]>> {
  const { base, head } = request;
  openRefs(state, request.repository);
  mustKnow(state, [base, head]);
  const tree = remember(state.merges, { base, head }, () => {
    const files = mergeMemory(state.hub.objects, { base, head });
    return files && storeTree(state.hub.objects, files);
  });
  if (tree === undefined) return { kind: "conflict" };
  return { kind: "merged", commit: storeNew(state, request, { tree, parents: [base, head] }) };
}

function findDiff(state: HostState, pair: CommitPair): HostDiff {
  const { objects } = state.hub;
  return remember(state.diffs, pair, () => {
    const [mergeBase] = bestCommonAncestors(objects, pair);
    if (mergeBase === undefined) return undefined;
    return { bytes: diffTrees(objects, treeOf(state, mergeBase), treeOf(state, pair.head)), mergeBase };
  });
}

function remember<Value>(
  kept: Map<string, Value | undefined>,
  { base, head }: CommitPair,
  make: () => Value | undefined,
): Value | undefined {
  const key = `${base} ${head}`;
  if (kept.has(key)) return kept.get(key);
  const value = make();
  const [oldest] = kept.keys();
  if (kept.size >= comparisonsKeptMax && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
  return value;
}

/** Stops where it finds it, which is soon: what people ask about is mostly recent. */
function isPartOf({ hub }: HostState, older: HeadSha, newer: HeadSha): boolean {
  const seen = new Set([newer]);
  // A set hands out what is added while it is walked.
  for (const id of seen) {
    if (id === older) return true;
    for (const parent of hub.objects.commits.get(id)?.parents ?? []) seen.add(parent);
  }
  return false;
}

function treeOf({ hub }: HostState, commit: HeadSha): Tree {
  const tree = hub.objects.commits.get(commit)?.tree;
  return (tree === undefined ? undefined : hub.objects.trees.get(tree)) ?? new Map();
}
