import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BytePath } from "#git/byte-path.ts";
import { writeBlobs } from "#git/real-blobs.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { failure, mustRun } from "#git/run-git.ts";

/** A file as git left it over; a version that is missing was not a file there. */
export interface Unmerged extends Versions<Version | undefined> {
  readonly path: BytePath;
}

export interface Version {
  readonly mode: string;
  readonly id: string;
}

interface Versions<Of> {
  readonly origin: Of;
  readonly ours: Of;
  readonly theirs: Of;
}

/** What the files are after the merge, stored; those that are gone are left out. Undefined: one of them is for people. */
export async function mergeContents(
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

/** Git leaves over what only one side changed, too, where a file and a folder of one name meet. */
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
  // There are two modes of files, so what one side changed is what is wanted.
  return { id, mode: ours.mode === origin.mode ? theirs.mode : ours.mode };
}

function isSame(left: Version | undefined, right: Version | undefined): boolean {
  return left?.id === right?.id && left?.mode === right?.mode;
}

/** Only files are merged; what became a link, or was none, is for people. */
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
