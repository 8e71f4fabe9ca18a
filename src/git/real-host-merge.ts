import { join } from "node:path";
import { type BytePath, bytesOf, foldersAbove } from "#git/byte-path.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { realMergeBase } from "#git/real-history.ts";
import { mergeContents, type Unmerged, type Version } from "#git/real-host-contents.ts";
import { inScratch } from "#git/real-host-repositories.ts";
import { mustRun } from "#git/run-git.ts";
import { treeIdOf } from "#git/tree-id.ts";
import type { CommitPair, MergeBase, TreeId } from "#ports/git.ts";

/**
 * The tree of a merge; undefined where people have to decide, or where the two have nothing in common. It goes by names,
 * so that every git answers the same: `git merge-tree` came with 2.38, looks for renames even where it is told not to,
 * and takes another way of comparing lines.
 */
export async function writeMergedTree(context: MirrorContext, { base, head }: CommitPair): Promise<TreeId | undefined> {
  const origin = await findOrigin(context, await realMergeBase(context, { base, head }));
  return origin === undefined ? undefined : await mergeTrees(context, { origin, ours: base, theirs: head });
}

/** After criss-cross merges there are several origins, which are merged first. */
async function findOrigin(context: MirrorContext, found: MergeBase): Promise<string | undefined> {
  if (found.kind !== "found") return undefined;
  const [newest, next, ...others] = found.all;
  if (newest === undefined || next === undefined) return newest;
  const between = await findOrigin(context, await realMergeBase(context, { base: newest, head: next }));
  let origin: string | undefined = newest;
  for (const theirs of [next, ...others]) {
    if (origin === undefined || between === undefined) return undefined;
    origin = await mergeTrees(context, { origin: between, ours: origin, theirs });
  }
  return origin;
}

/** Git merges whole files in an index of its own; what it leaves over is merged by lines, or is for people. */
async function mergeTrees(
  context: MirrorContext,
  { origin, ours, theirs }: Readonly<Record<"origin" | "ours" | "theirs", string>>,
): Promise<TreeId | undefined> {
  return await inScratch(context, async (scratch) => {
    const step = { gitDir: context.gitDir, environment: { GIT_INDEX_FILE: join(scratch, "index") } };
    const trees = ["--end-of-options", origin, ours, theirs];
    await mustRun(context.runGit, { ...step, args: ["read-tree", "-i", "-m", "--aggressive", ...trees] });
    const listed = await mustRun(context.runGit, { ...step, args: ["ls-files", "--stage", "-z"] });
    const { done, left } = readIndex(listed.stdout);
    const merged = await mergeContents(context, left, scratch);
    if (merged === undefined || isFolderAndFile([...done, ...merged.keys()])) return undefined;
    const gone = left.filter(({ path }) => !merged.has(path)).map(({ path }) => [`0 ${"0".repeat(40)}`, path] as const);
    const here = [...merged].map(([path, { mode, id }]) => [`${mode} ${id}`, path] as const);
    const input = [...gone, ...here].flatMap(([what, path]) => [Buffer.from(`${what}\t`), bytesOf(path), nul]);
    await mustRun(context.runGit, {
      ...step,
      args: ["update-index", "-z", "--index-info"],
      input: Buffer.concat(input),
    });
    const { stdout } = await mustRun(context.runGit, { ...step, args: ["write-tree"] });
    return treeIdOf(stdout.toString().trim());
  });
}

const nul = Buffer.from("\0");

function isFolderAndFile(paths: readonly BytePath[]): boolean {
  const files = new Set(paths);
  return paths.some((path) => foldersAbove(path).some((folder) => files.has(folder)));
}

/** Reads `ls-files --stage -z`: a path that is done has one version, one that is left over up to three. */
function readIndex(output: Buffer): { readonly done: readonly BytePath[]; readonly left: readonly Unmerged[] } {
  const done: BytePath[] = [];
  const found = new Map<BytePath, Record<string, Version>>();
  for (const line of output.toString("latin1").split("\0").slice(0, -1)) {
    const [, mode = "", id = "", stage = "", path = ""] = /^(\d{6}) ([0-9a-f]+) (\d)\t([^]+)$/.exec(line) ?? [];
    if (stage === "0") done.push(path);
    else found.set(path, { ...found.get(path), [stage]: { mode, id } });
  }
  const left = [...found].map(([path, stages]) => ({
    path,
    origin: stages["1"],
    ours: stages["2"],
    theirs: stages["3"],
  }));
  return { done, left };
}
