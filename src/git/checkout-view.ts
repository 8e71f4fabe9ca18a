import type { HeadSha } from "#core/model/ids.ts";
import { type BytePath, bytePathOf, diffPathOf, readPath } from "#git/byte-path.ts";
import type { Checkout } from "#git/checkout.ts";
import { defaultGitLimits } from "#git/git-limits.ts";
import { grepTree } from "#git/real-grep.ts";
import { readRealLog } from "#git/real-history.ts";
import { type ListedEntry, listFiles } from "#git/real-tree.ts";
import { mustRun } from "#git/run-git.ts";
import type { RepositoryView } from "#ports/change-view.ts";
import { openView, pathsFrom } from "#ports/view-source.ts";

/** The largest public trees have half as many. */
const entriesMax = 1_000_000;

const baseFileBytesMax = 5_000_000;

type Listing = ReadonlyMap<BytePath, ListedEntry>;

export function viewTrees(
  checkout: Checkout,
  trees: { readonly old: string; readonly new: string; readonly base: string; readonly commit: HeadSha | null },
  signal: AbortSignal,
): ReturnType<typeof openView> & { readonly readBaseFile: (path: string) => Promise<Uint8Array | null> } {
  const list = rememberListings(checkout, signal);
  const { git: runGit, gitDir } = checkout;
  const view = openView(
    {
      readFile: async (side, path, bytesMax) => await readFile(checkout, await list(trees[side]), { path, bytesMax }),
      listFiles: async (folder, pathsMax) => filesBelow(await list(trees.new), folder, pathsMax),
      search: async (request) => await grepTree({ runGit, gitDir }, { ...request, tree: trees.new }),
      history: async (path, historyMax) => await historyOf(checkout, trees.commit, { path, historyMax, signal }),
    },
    signal,
  );
  return {
    ...view,
    readBaseFile: async (path) =>
      await readFile(checkout, await list(trees.base), { path, bytesMax: baseFileBytesMax }),
  };
}

function rememberListings({ git, gitDir }: Checkout, signal: AbortSignal): (tree: string) => Promise<Listing> {
  const listed = new Map<string, Promise<Listing>>();
  const list = async (tree: string): Promise<Listing> => {
    const place = { runGit: git, gitDir, limits: defaultGitLimits };
    const { entries } = await listFiles(place, { tree, entriesMax, signal });
    return new Map(entries.map((entry) => [entry.path, entry]));
  };
  return (tree) => {
    const listing = listed.get(tree) ?? list(tree);
    listed.set(tree, listing);
    return listing;
  };
}

async function readFile(
  { git }: Checkout,
  listing: Listing,
  { path, bytesMax }: { readonly path: string; readonly bytesMax: number },
): Promise<Uint8Array | null> {
  const entry = listing.get(readPath(path) ?? "");
  if (entry === undefined || !entry.mode.startsWith("100") || (entry.bytes ?? 0) > bytesMax) return null;
  const ran = await mustRun(git, { args: ["cat-file", "blob", entry.id], stdoutBytesMax: bytesMax });
  return new Uint8Array(ran.stdout);
}

function filesBelow(
  listing: Listing,
  folder: string,
  pathsMax: number,
): Awaited<ReturnType<RepositoryView["listFiles"]>> {
  const start = folder === "" ? "" : `${bytePathOf(folder)}/`;
  const { paths, isCut } = pathsFrom([...listing.keys()], start, pathsMax);
  if (folder !== "" && (paths.length === 0 || readPath(folder) === undefined)) return null;
  return { paths: paths.map((path) => diffPathOf(path).text), isCut };
}

async function historyOf(
  { git, gitDir }: Checkout,
  commit: HeadSha | null,
  { path, historyMax, signal }: { readonly path: string; readonly historyMax: number; readonly signal: AbortSignal },
): Promise<Awaited<ReturnType<RepositoryView["history"]>>> {
  if (commit === null) return [];
  const place = { runGit: git, gitDir, key: gitDir, known: new Map<string, Set<string>>() };
  const log = await readRealLog(place, { commit, path, entriesMax: historyMax, signal });
  return log.kind === "log" ? log.entries : [];
}
