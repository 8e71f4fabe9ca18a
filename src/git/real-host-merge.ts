import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BytePath, bytesOf, foldersAbove } from "#git/byte-path.ts";
import { writeBlobs } from "#git/real-blobs.ts";
import { type MirrorContext } from "#git/real-git-context.ts";
import { realMergeBase } from "#git/real-history.ts";
import { inScratch } from "#git/real-host-repositories.ts";
import { failure, mustRun } from "#git/run-git.ts";
import { treeIdOf } from "#git/tree-id.ts";
import { type CommitPair, type MergeBase, type TreeId } from "#ports/git.ts";

interface Unmerged extends Versions<Version | undefined> {
  readonly path: BytePath;
}

interface Version {
  readonly mode: string;
  readonly id: string;
}

interface Versions<Of> {
  readonly origin: Of;
  readonly ours: Of;
  readonly theirs: Of;
}

async function mergeContents(
  context: MirrorContext,
  files: readonly Unmerged[],
  scratch: string,
): Promise<ReadonlyMap<BytePath, Version> | undefined> {
  const merged = new Map<BytePath, Version>();
  for (const file of files) {
    const version = await mergeVersions(context, file, scratch);
    if (version === "conflict") return undefined;
    if (version !== undefined) merged.set(file.path, version);
  }
  return merged;
}

/** Git also leaves one-sided changes over, where a file and a folder of one name meet. */
async function mergeVersions(
  context: MirrorContext,
  { origin, ours, theirs }: Unmerged,
  scratch: string,
): Promise<Version | undefined | "conflict"> {
  if (isSame(ours, theirs) || isSame(origin, theirs)) return ours;
  if (isSame(origin, ours)) return theirs;
  if (!isFile(origin) || !isFile(ours) || !isFile(theirs)) return "conflict";
  const content = await mergeLines(context, { origin, ours, theirs }, scratch);
  if (content === undefined) return "conflict";
  const [id = ""] = await writeBlobs(context, [content], {});
  // There are two modes: the changed one is wanted.
  return { id, mode: ours.mode === origin.mode ? theirs.mode : ours.mode };
}

function isSame(left: Version | undefined, right: Version | undefined): boolean {
  return left?.id === right?.id && left?.mode === right?.mode;
}

/** What became a link, or was none, is for people. */
function isFile(version: Version | undefined): version is Version {
  return version?.mode.startsWith("100") === true;
}

async function mergeLines(
  context: MirrorContext,
  { origin, ours, theirs }: Versions<Version>,
  scratch: string,
): Promise<Uint8Array | undefined> {
  const names: string[] = [];
  for (const { id } of [ours, origin, theirs]) {
    const name = join(scratch, `content-${names.length}`);
    await writeFile(name, await readBlob(context, id));
    names.push(name);
  }
  const run = { args: ["merge-file", "--stdout", "--quiet", ...names], gitDir: context.gitDir };
  const ran = await context.runGit(run);
  if (ran.code === 0) return ran.stdout;
  if (ran.code === undefined || (ran.code > conflictsMax && ran.code !== binaryCode)) throw failure("failed", run, ran);
  return undefined;
}

/** `git merge-file` ends with the number of conflicts, or with this where the files are not text. */
const [conflictsMax, binaryCode] = [127, 255];

async function readBlob(context: MirrorContext, id: string): Promise<Uint8Array> {
  const { stdout } = await mustRun(context.runGit, { args: ["cat-file", "blob", id], gitDir: context.gitDir });
  return stdout;
}

/** Undefined if people must decide. By names, so every git answers alike: `git merge-tree` (2.38) looks for renames. */
export async function writeMergedTree(context: MirrorContext, { base, head }: CommitPair): Promise<TreeId | undefined> {
  const origin = await findOrigin(context, await realMergeBase(context, { base, head }));
  return origin === undefined ? undefined : await mergeTrees(context, { origin, ours: base, theirs: head });
}

/** After criss-cross merges there are several, which are merged first. */
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

/** Git merges whole files in its own index; the rest is merged by lines, or is for people. */
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

/** Of `ls-files --stage -z`: a merged path has one version, an unmerged one up to three. */
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
