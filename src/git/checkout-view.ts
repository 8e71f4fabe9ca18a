import type { HeadSha } from "#core/model/ids.ts";
import { type BytePath, bytePathOf, diffPathOf, readPath } from "#git/byte-path.ts";
import type { Checkout } from "#git/checkout.ts";
import { defaultGitLimits } from "#git/git-limits.ts";
import { grepTree } from "#git/real-grep.ts";
import { readRealLog } from "#git/real-history.ts";
import { type ListedEntry, listFiles } from "#git/real-tree.ts";
import { mustRun } from "#git/run-git.ts";
import type { ChangeView, RepositoryView, SearchHits, SearchRequest } from "#ports/change-view.ts";
import { GitError } from "#ports/git.ts";

const viewLimits = {
  fileBytesMax: 5_000_000,
  /** A tree with more files than this is not looked into; the largest public ones have half as many. */
  entriesMax: 1_000_000,
  listedMax: 10_000,
  historyMax: 50,
} as const;

export interface ViewedTrees {
  readonly old: string;
  readonly new: string;
  readonly base: string;
  /** Whose history it is; null where nothing is committed. */
  readonly commit: HeadSha | null;
}

type Listing = ReadonlyMap<BytePath, ListedEntry>;

/** The two compared trees, to read beyond the diff. */
export function viewTrees(
  checkout: Checkout,
  trees: ViewedTrees,
  signal: AbortSignal,
): Required<Pick<ChangeView, "readFile">> & {
  readonly readBaseFile: (path: string) => Promise<Uint8Array | null>;
  readonly repository: RepositoryView;
} {
  const list = rememberListings(checkout, signal);
  return {
    readBaseFile: async (path) => await readFile(checkout, await list(trees.base), path),
    readFile: async (side, path) => await readFile(checkout, await list(trees[side]), path),
    repository: {
      listFiles: async (folder) => filesBelow(await list(trees.new), folder),
      search: async (request) => {
        const wanted = request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]);
        return await searchTree(checkout, { ...request, tree: trees.new, signal: wanted });
      },
      history: async (path) => await historyOf(checkout, trees.commit, { path, signal }),
    },
  };
}

/** Each tree is listed once, when it is first needed. */
function rememberListings({ git, gitDir }: Checkout, signal: AbortSignal): (tree: string) => Promise<Listing> {
  const listed = new Map<string, Promise<Listing>>();
  const list = async (tree: string): Promise<Listing> => {
    const place = { runGit: git, gitDir, limits: defaultGitLimits };
    const { entries } = await listFiles(place, { tree, entriesMax: viewLimits.entriesMax, signal });
    return new Map(entries.map((entry) => [entry.path, entry]));
  };
  return (tree) => {
    const listing = listed.get(tree) ?? list(tree);
    listed.set(tree, listing);
    return listing;
  };
}

/** No link, no submodule: plain files alone. */
async function readFile({ git }: Checkout, listing: Listing, path: string): Promise<Uint8Array | null> {
  const entry = listing.get(readPath(path) ?? "");
  const { fileBytesMax } = viewLimits;
  if (entry === undefined || !entry.mode.startsWith("100") || (entry.bytes ?? 0) > fileBytesMax) return null;
  const ran = await mustRun(git, { args: ["cat-file", "blob", entry.id], stdoutBytesMax: fileBytesMax });
  return new Uint8Array(ran.stdout);
}

function filesBelow(listing: Listing, folder: string): Awaited<ReturnType<RepositoryView["listFiles"]>> {
  const start = folder === "" ? "" : `${bytePathOf(folder)}/`;
  const below = [...listing.keys()].filter((path) => path.startsWith(start));
  if (folder !== "" && (below.length === 0 || readPath(folder) === undefined)) return null;
  const paths = below.slice(0, viewLimits.listedMax).map((path) => diffPathOf(path).text);
  return { paths, isCut: below.length > paths.length };
}

async function searchTree(
  { git, gitDir }: Checkout,
  request: SearchRequest & { readonly tree: string; readonly signal: AbortSignal },
): Promise<SearchHits | null> {
  try {
    const { hits, alsoIn, isCut } = await grepTree({ runGit: git, gitDir }, request);
    return {
      hits: hits.map(({ path, line, text }) => ({ path: path.text, line, text })),
      alsoIn: alsoIn.map(({ text }) => text),
      isCut,
    };
  } catch (error) {
    if (error instanceof GitError && error.kind === "bad_request") return null;
    throw error;
  }
}

async function historyOf(
  { git, gitDir }: Checkout,
  commit: HeadSha | null,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<Awaited<ReturnType<RepositoryView["history"]>>> {
  if (commit === null) return [];
  const place = { runGit: git, gitDir, key: gitDir, known: new Map<string, Set<string>>() };
  const log = await readRealLog(place, { commit, path, entriesMax: viewLimits.historyMax, signal });
  return log.kind === "log" ? log.entries : [];
}
