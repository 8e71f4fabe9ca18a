import { constants, type Stats } from "node:fs";
import { access, copyFile, lstat, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "#core/error-code.ts";
import type { Coverage } from "#core/model/records.ts";
import { type BytePath, bytesOf, diffPathOf } from "#git/byte-path.ts";
import type { Checkout } from "#git/checkout.ts";
import { mustRun, type RunGit } from "#git/run-git.ts";

export type LeftOut = Coverage["unread"];

export interface Snapshot {
  readonly tree: string;
  readonly leftOut: LeftOut;
}

/** With files that git neither knows nor ignores. A tree does not change while it is read, and its links lead nowhere. */
export async function snapshotWorkingTree(checkout: Checkout, top: string): Promise<Snapshot> {
  const index = await copyIndex(checkout, "working-tree-index");
  const git = checkout.treeGit(index);
  // Submodules are compared by commit: to find changes inside one, git would run with that one's own settings.
  const [changed, unknown] = await Promise.all([
    listPaths(git, ["diff-files", "--name-only", "--ignore-submodules=dirty", "-z"]),
    listPaths(git, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  const { taken, leftOut } = await selectSnapshotFiles(top, [...new Set([...changed, ...unknown])]);
  const input = Buffer.from(taken.map((path) => `${path}\0`).join(""), "latin1");
  await mustRun(git, { args: ["update-index", "--add", "--remove", "-z", "--stdin"], input });
  return { tree: await writeTree(git), leftOut };
}

/** What `git commit` would take. */
export async function snapshotIndex(
  checkout: Checkout,
): Promise<{ readonly kind: "tree"; readonly tree: string } | { readonly kind: "unmerged"; readonly path: string }> {
  const git = checkout.treeGit(await copyIndex(checkout, "staged-index"));
  const unmerged = await listPaths(git, ["diff-files", "--name-only", "--diff-filter=U", "-z"]);
  const [first] = unmerged;
  if (first !== undefined) return { kind: "unmerged", path: diffPathOf(first).text };
  return { kind: "tree", tree: await writeTree(git) };
}

/** A copy, so that git's own index stays. Git detects changes in the index's second by its age: keep the time. */
async function copyIndex({ indexFile, scratch }: Checkout, name: string): Promise<string> {
  const copy = join(scratch, name);
  try {
    const { mtimeMs } = await stat(indexFile);
    await copyFile(indexFile, copy);
    const seconds = Math.floor(mtimeMs / 1_000);
    await utimes(copy, seconds, seconds);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return copy;
}

async function writeTree(git: RunGit): Promise<string> {
  const { stdout } = await mustRun(git, { args: ["write-tree", "--missing-ok"] });
  return stdout.toString().trim();
}

async function listPaths(git: RunGit, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await mustRun(git, { args });
  return stdout.toString("latin1").split("\0").slice(0, -1);
}

/** More is not read by reviewers anyway. */
interface SnapshotLimits {
  readonly filesMax: number;
  readonly fileBytesMax: number;
  readonly bytesMax: number;
}

const snapshotLimits: SnapshotLimits = {
  filesMax: 20_000,
  fileBytesMax: 32 * 1024 * 1024,
  bytesMax: 512 * 1024 * 1024,
};

type Unread = Coverage["unread"][number];

/** Leaves out, and says so, what git would fail on or take minutes for. */
export async function selectSnapshotFiles(
  top: string,
  paths: readonly BytePath[],
  limits = snapshotLimits,
): Promise<{ readonly taken: readonly BytePath[]; readonly leftOut: readonly Unread[] }> {
  const taken: BytePath[] = [];
  const leftOut: Unread[] = [];
  let bytes = 0;
  for (const path of paths.slice(0, limits.filesMax)) {
    const found = await look(Buffer.concat([Buffer.from(`${top}/`), bytesOf(path)]));
    const isTooLarge = found.bytes > limits.fileBytesMax || bytes + found.bytes > limits.bytesMax;
    const why = path.endsWith("/") ? "excluded" : found.isUnreadable ? "unreadable" : isTooLarge ? "size" : null;
    if (why !== null) {
      leftOut.push({ path: diffPathOf(path).text, why });
      continue;
    }
    bytes += found.bytes;
    taken.push(path);
  }
  const more = paths.length - limits.filesMax;
  if (more > 0) leftOut.push({ path: `(${more} more files)`, why: "size" });
  return { taken, leftOut };
}

/** A missing file is a change too; links are read as text, and a folder may have taken a file's place. */
async function look(path: Buffer): Promise<{ readonly bytes: number; readonly isUnreadable: boolean }> {
  const found = await statsOf(path);
  if (found === undefined || found.isDirectory() || found.isSymbolicLink()) return { bytes: 0, isUnreadable: false };
  if (!found.isFile()) return { bytes: 0, isUnreadable: true };
  return { bytes: found.size, isUnreadable: !(await mayRead(path)) };
}

async function statsOf(path: Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined;
  }
}

async function mayRead(path: Buffer): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
