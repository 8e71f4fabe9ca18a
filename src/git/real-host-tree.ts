import { join } from "node:path";
import type { HeadSha } from "#core/model/ids.ts";
import { bytesOf } from "#git/byte-path.ts";
import { type ReadChanges } from "#git/read-host-changes.ts";
import { writeBlobs } from "#git/real-blobs.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { inScratch } from "#git/real-host-repositories.ts";
import { mustRun } from "#git/run-git.ts";
import { treeIdOf } from "#git/tree-id.ts";
import type { TreeId } from "#ports/git.ts";

/** A tree as changes of a commit, built in an index of its own: there are no files to look at. */
export async function writeChangedTree(
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

/** Lines for `update-index --index-info`, which lets go of whatever is in the way of a path. */
async function indexInfo(context: MirrorContext, { gone, written }: ReadChanges): Promise<Buffer> {
  const ids = written.size === 0 ? [] : await writeBlobs(context, [...written.values()], {});
  const lines = [
    ...gone.map((path) => [Buffer.from(`0 ${"0".repeat(40)}\t`), bytesOf(path)]),
    ...[...written.keys()].map((path, index) => [Buffer.from(`100644 ${ids[index] ?? ""}\t`), bytesOf(path)]),
  ];
  return Buffer.concat(lines.flatMap((line) => [...line, Buffer.from("\0")]));
}
