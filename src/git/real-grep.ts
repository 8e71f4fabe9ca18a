import { type BytePath, bytesOf, diffPathOf, readPath } from "#git/byte-path.ts";
import { grepLimits, linesWith, readGrepText, type SearchedFile } from "#git/grep-lines.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { findUnknown } from "#git/real-history.ts";
import { failure, mustRun } from "#git/run-git.ts";
import { GitError, type GrepHit, type GrepRead, type GrepRequest } from "#ports/git.ts";

export async function grepReal(context: MirrorContext, request: GrepRequest): Promise<GrepRead> {
  const unknown = await findUnknown(context, [request.commit]);
  return unknown ?? (await grepTree(context, { ...request, tree: request.commit }));
}

type Searched = Pick<MirrorContext, "runGit" | "gitDir">;
type TreeSearch = Omit<GrepRequest, "commit"> & { readonly tree: string };

/** Git names the files only: a line may be as large as a file. Lines are searched here, in files of bounded size. */
export async function grepTree(
  place: Searched,
  search: TreeSearch,
): Promise<Extract<GrepRead, { readonly kind: "hits" }>> {
  const folded = readGrepText(search.text);
  const found = await findFiles(place, search);
  const isSkipped = (path: BytePath): boolean => search.isSkipped(diffPathOf(path).text);
  const files = found.paths.filter((path) => !isSkipped(path));
  const skipped = found.paths.filter(isSkipped);
  const near = files.slice(0, grepLimits.filesMax);
  const sizes = await readSizes(place, search, near);
  const hits: GrepHit[] = [];
  const tooLarge = near.filter((path) => isTooLarge(sizes.get(path)));
  const readable = withinBytes(near, sizes);
  for (const file of await readFiles(place, search, readable)) {
    hits.push(...linesWith(file, folded, search.hitsMax + 1 - hits.length));
    if (hits.length > search.hitsMax) break;
  }
  const isAllRead = readable.length + tooLarge.length === files.length && skipped.length <= grepLimits.filesMax;
  return {
    kind: "hits",
    hits: hits.slice(0, search.hitsMax),
    alsoIn: [...tooLarge, ...skipped.slice(0, grepLimits.filesMax)].map(diffPathOf),
    isCut: found.isCut || !isAllRead || hits.length > search.hitsMax,
  };
}

interface Blob {
  readonly id: string;
  readonly bytes: number;
}

async function findFiles(
  { runGit, gitDir }: Searched,
  { tree, text, folder, signal }: TreeSearch,
): Promise<{ readonly paths: readonly BytePath[]; readonly isCut: boolean }> {
  if (folder !== "" && readPath(folder) === undefined) return { paths: [], isCut: false };
  const run = {
    args: [
      "grep",
      "--files-with-matches",
      "--null",
      "-I",
      "--no-textconv",
      "--no-color",
      "--full-name",
      "--no-recurse-submodules",
      "--threads=1",
      "--fixed-strings",
      "--ignore-case",
      // On the input: the text may begin like an option, and other users need not see it.
      "-f",
      "-",
      tree,
      "--",
      ...(folder === "" ? [] : [folder]),
    ],
    gitDir,
    input: Buffer.from(`${text}\n`),
    stdoutBytesMax: namesBytesMax,
    mayCut: true,
    signal,
  };
  const ran = await runGit(run);
  // Code 1: nothing was found.
  if (ran.code !== 0 && ran.code !== 1 && !ran.isCut) throw failure("failed", run, ran);
  const names = ran.stdout.toString("latin1").split("\0").slice(0, -1);
  return { paths: names.map((name) => name.slice(tree.length + 1)), isCut: ran.isCut };
}

const namesBytesMax = 8_000_000;

/** Git takes names by the line, so a name with a line break has no size. */
async function readSizes(
  { runGit, gitDir }: Searched,
  { tree, signal }: TreeSearch,
  paths: readonly BytePath[],
): Promise<ReadonlyMap<BytePath, Blob>> {
  const asked = paths.filter((path) => !path.includes("\n"));
  if (asked.length === 0) return new Map();
  const input = Buffer.concat(asked.map((path) => Buffer.concat([Buffer.from(`${tree}:`), bytesOf(path), newline])));
  const ran = await mustRun(runGit, { args: ["cat-file", "--batch-check"], gitDir, input, signal });
  const lines = ran.stdout.toString("latin1").split("\n");
  return new Map(
    asked.flatMap((path, index): readonly (readonly [BytePath, Blob])[] => {
      const [, id, bytes] = /^([0-9a-f]+) blob (\d+)$/.exec(lines[index] ?? "") ?? [];
      return id === undefined ? [] : [[path, { id, bytes: Number(bytes) }]];
    }),
  );
}

const newline = Buffer.from("\n");

function isTooLarge(blob: Blob | undefined): boolean {
  return blob === undefined || blob.bytes > grepLimits.fileBytesMax;
}

function withinBytes(
  paths: readonly BytePath[],
  sizes: ReadonlyMap<BytePath, Blob>,
): readonly (Blob & { readonly path: BytePath })[] {
  let left: number = grepLimits.bytesMax;
  return paths.flatMap((path) => {
    const blob = sizes.get(path);
    if (blob === undefined || isTooLarge(blob) || left < 0) return [];
    left -= blob.bytes;
    return left < 0 ? [] : [{ ...blob, path }];
  });
}

async function readFiles(
  { runGit, gitDir }: Searched,
  { signal }: TreeSearch,
  blobs: readonly (Blob & { readonly path: BytePath })[],
): Promise<readonly SearchedFile[]> {
  if (blobs.length === 0) return [];
  const input = Buffer.from(blobs.map(({ id }) => `${id}\n`).join(""));
  const { stdout } = await mustRun(runGit, { args: ["cat-file", "--batch"], gitDir, input, signal });
  let at = 0;
  return blobs.map(({ path, id, bytes }) => {
    const start = stdout.indexOf("\n", at) + 1;
    if (!stdout.toString("latin1", at, start).startsWith(id)) throw new GitError("failed", "git lost a file meanwhile");
    at = start + bytes + 1;
    return { path, content: stdout.subarray(start, start + bytes) };
  });
}
