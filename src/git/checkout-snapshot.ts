import { copyFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "#core/error-code.ts";
import type { Coverage } from "#core/model/records.ts";
import { diffPathOf } from "#git/byte-path.ts";
import type { Checkout } from "#git/checkout.ts";
import { mustRun, type RunGit } from "#git/run-git.ts";
import { selectSnapshotFiles } from "#git/snapshot-files.ts";

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
