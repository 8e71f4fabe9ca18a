import type { TreeFile } from "#git/folder-source.ts";
import { isJobName, isUnwritable, sumBytes } from "#git/worktree-request.ts";
import { GitError, type WorktreeAdded, type WorktreeRequest } from "#ports/git.ts";
import { createMemoryFolder, type MemoryNode, plainFile } from "#testing/memory-git/memory-folder.ts";
import type { MemoryObjects } from "#testing/memory-git/memory-hub.ts";
import { filesOf, findUnknownIn, type MemoryState } from "#testing/memory-git/memory-state.ts";

const worktrees = "/memory/worktrees/";

export function worktreeFolder(job: string): string {
  return `${worktrees}${job}/tree`;
}

export function isWorktreeFolder(folder: string): boolean {
  return folder.startsWith(worktrees);
}

export function addMemoryWorktree(state: MemoryState, request: WorktreeRequest): WorktreeAdded {
  if (!isJobName(request.job)) throw new GitError("bad_request", "a job's name has letters, digits, dots and dashes");
  const unknown = findUnknownIn(state, [request.commit]);
  if (unknown !== undefined) return unknown;
  const files = filesOf(state, request.commit);
  const { entriesMax, bytesMax, job } = request;
  if (files.size > entriesMax) return { kind: "over_limit", limit: "entriesMax", max: entriesMax };
  if (sumBytes(files.values()) > bytesMax) return { kind: "over_limit", limit: "bytesMax", max: bytesMax };
  if ([...files].some(([path, { mode }]) => isUnwritable({ path, mode }))) return { kind: "unwritable" };
  const folder = createMemoryFolder();
  for (const [path, file] of files) folder.nodes.set(path, nodeOf(state.hub.objects, file));
  if (request.history.kind === "copied") folder.write(".git/HEAD", `${request.commit}\n`);
  state.folders.set(worktreeFolder(job), folder);
  return { kind: "added", worktree: { job, folder: worktreeFolder(job), home: `${worktrees}${job}/home` } };
}

function nodeOf({ blobs }: MemoryObjects, { mode, id }: TreeFile): MemoryNode {
  const content = blobs.get(id) ?? new Uint8Array();
  if (mode === "160000") return { kind: "folder" };
  return mode === "120000" ? { kind: "link", target: content } : plainFile(content, mode === "100755");
}
