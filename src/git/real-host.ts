import { join } from "node:path";
import { HeadSha } from "#core/model/ids.ts";
import { type BytePath, bytesOf, foldersAbove, readPath } from "#git/byte-path.ts";
import { writeBlobs } from "#git/real-blobs.ts";
import { commitRealTree } from "#git/real-commit.ts";
import { readRealDiff } from "#git/real-diff.ts";
import type { MirrorContext, RealGitContext } from "#git/real-git-context.ts";
import { findRealTree, findUnknown, realAncestry } from "#git/real-history.ts";
import { writeMergedTree } from "#git/real-host-merge.ts";
import {
  createHosted,
  hostedContext,
  inScratch,
  listHosted,
  openHosted,
  prepareHost,
  type RealHostOptions,
} from "#git/real-host-repositories.ts";
import { readRef } from "#git/ref-name.ts";
import { mustRun } from "#git/run-git.ts";
import { treeIdOf } from "#git/tree-id.ts";
import { isUnwritable } from "#git/worktree-request.ts";
import { type CommitPair, GitError, type TreeId } from "#ports/git.ts";
import type { GitHost, HostChanges, HostCommit, HostMerge } from "#ports/git-host.ts";

/** As with forges that share a store among forks, a commit of one repository can be named in all. */
export async function createRealHost(options: RealHostOptions): Promise<GitHost> {
  const host = await prepareHost(options);
  return {
    createRepository: (name) => createHosted(host, name),
    remoteOf: (name) => ({ url: hostedContext(host, name).gitDir, credential: null }),
    commit: (request) => commitChanges(host, request),
    setRef: (request) => setRef(host, request),
    refsOf: (repository) => listRefs(host, repository),
    diff: (request) => readDiff(host, request),
    async isAncestor({ repository, older, newer }) {
      const context = await openHosted(host, repository);
      await mustHold(host, context, [older, newer]);
      return (await realAncestry(context, { older, newer })) === "ancestor";
    },
    async findTree({ repository, commit }) {
      const context = await openHosted(host, repository);
      return (await canHold(host, context, commit)) ? await findRealTree(context, commit) : undefined;
    },
    mergeCommit: (request) => commitMerge(host, request),
  };
}

async function commitChanges(host: RealGitContext, request: HostCommit): Promise<HeadSha> {
  const { parents, message, author, at } = request;
  const changes = readHostChanges(request.changes);
  const context = await openHosted(host, request.repository);
  await mustHold(host, context, parents);
  const tree = await writeChangedTree(context, parents[0], changes);
  return await commitRealTree(context, { tree, parents, message, identity: author, at });
}

async function setRef(host: RealGitContext, { repository, ref, to }: Parameters<GitHost["setRef"]>[0]): Promise<void> {
  const name = readRef(ref);
  const context = await openHosted(host, repository);
  if (to !== null) await mustHold(host, context, [to]);
  const move = to === null ? ["-d", name] : [name, to];
  await host.turns.run(context.key, async () => {
    await mustRun(host.runGit, { args: ["update-ref", "--no-deref", ...move], gitDir: context.gitDir });
  });
}

async function listRefs(host: RealGitContext, repository: string): Promise<ReadonlyMap<string, HeadSha>> {
  const { gitDir } = await openHosted(host, repository);
  const { stdout } = await mustRun(host.runGit, {
    args: ["for-each-ref", "--format=%(objectname) %(refname)"],
    gitDir,
  });
  const refs = new Map<string, HeadSha>();
  for (const line of stdout.toString().split("\n").filter(Boolean)) {
    const cut = line.indexOf(" ");
    refs.set(line.slice(cut + 1), HeadSha.parse(line.slice(0, cut)));
  }
  return refs;
}

async function readDiff(
  host: RealGitContext,
  { repository, base, head }: CommitPair & { readonly repository: string },
): Promise<Awaited<ReturnType<GitHost["diff"]>>> {
  const context = await openHosted(host, repository);
  await mustHold(host, context, [base, head]);
  const read = await readRealDiff(context, { base, head, bytesMax: host.limits.answerBytesMax });
  if (read.kind === "diff") return { bytes: read.bytes, mergeBase: read.mergeBase };
  if (read.kind === "unrelated") return undefined;
  throw new GitError(read.kind === "over_limit" ? "over_limit" : "failed", "the difference cannot be read");
}

async function commitMerge(
  host: RealGitContext,
  request: HostMerge,
): Promise<Awaited<ReturnType<GitHost["mergeCommit"]>>> {
  const { base, head, message, author, at } = request;
  const context = await openHosted(host, request.repository);
  await mustHold(host, context, [base, head]);
  const tree = await writeMergedTree(context, { base, head });
  if (tree === undefined) return { kind: "conflict" };
  const made = { tree, parents: [base, head], message, identity: author, at };
  return { kind: "merged", commit: await commitRealTree(context, made) };
}

async function mustHold(host: RealGitContext, context: MirrorContext, commits: readonly HeadSha[]): Promise<void> {
  for (const commit of commits) {
    if (!(await canHold(host, context, commit))) {
      throw new GitError("bad_request", "no repository of this host holds the commit");
    }
  }
}

/** A pull's head must be in the base repository: here it is copied when it is named. */
async function canHold(host: RealGitContext, context: MirrorContext, commit: HeadSha): Promise<boolean> {
  if (await holds(context, commit)) return true;
  for (const other of await listHosted(host)) {
    if (other.gitDir === context.gitDir || !(await holds(other, commit))) continue;
    await copyHistory({ from: other, to: context }, commit);
    return true;
  }
  return false;
}

async function holds(context: MirrorContext, commit: HeadSha): Promise<boolean> {
  return (await findUnknown(context, [commit])) === undefined;
}

async function copyHistory(
  { from, to }: { readonly from: MirrorContext; readonly to: MirrorContext },
  commit: HeadSha,
): Promise<void> {
  const { stdout } = await mustRun(from.runGit, {
    args: ["pack-objects", "--revs", "--stdout", "-q"],
    gitDir: from.gitDir,
    input: Buffer.from(`${commit}\n`),
  });
  await mustRun(to.runGit, { args: ["unpack-objects", "-q"], gitDir: to.gitDir, input: stdout });
}

async function writeChangedTree(
  context: MirrorContext,
  parent: HeadSha | undefined,
  changes: ReadChanges,
): Promise<TreeId> {
  const input = await indexInfo(context, changes);
  return await inScratch(context, async (scratch) => {
    const step = { gitDir: context.gitDir, environment: { GIT_INDEX_FILE: join(scratch, "index") } };
    if (parent !== undefined)
      await mustRun(context.runGit, { ...step, args: ["read-tree", "--end-of-options", parent] });
    await mustRun(context.runGit, { ...step, args: ["update-index", "-z", "--index-info"], input });
    const { stdout } = await mustRun(context.runGit, { ...step, args: ["write-tree"] });
    return treeIdOf(stdout.toString().trim());
  });
}

/** For `update-index --index-info`, which removes entries in the way. */
async function indexInfo(context: MirrorContext, { gone, written }: ReadChanges): Promise<Buffer> {
  const ids = written.size === 0 ? [] : await writeBlobs(context, [...written.values()], {});
  const lines = [
    ...gone.map((path) => [Buffer.from(`0 ${"0".repeat(40)}\t`), bytesOf(path)]),
    ...[...written.keys()].map((path, index) => [Buffer.from(`100644 ${ids[index] ?? ""}\t`), bytesOf(path)]),
  ];
  return Buffer.concat(lines.flatMap((line) => [...line, Buffer.from("\0")]));
}

export interface ReadChanges {
  readonly gone: readonly BytePath[];
  /** A file gives way to a folder of its name, and a folder to a file. */
  readonly written: ReadonlyMap<BytePath, Uint8Array>;
}

export function readHostChanges(changes: HostChanges): ReadChanges {
  const gone: BytePath[] = [];
  const written = new Map<BytePath, Uint8Array>();
  for (const [name, text] of Object.entries(changes)) {
    const path = readPath(name);
    if (path === undefined || isUnwritable({ path, mode: "100644" })) {
      throw new GitError("bad_request", "a change names a path that no repository can hold");
    }
    if (text === null) gone.push(path);
    else written.set(path, new Uint8Array(Buffer.from(text)));
  }
  for (const path of written.keys()) {
    if (!foldersAbove(path).some((folder) => written.has(folder))) continue;
    throw new GitError("bad_request", `the changes want ${bytesOf(path).toString()} to lie inside of a file`);
  }
  return { gone, written };
}
