import type { Side } from "#core/diff/hunk.ts";
import type { ChangeView, HistoryEntry, RepositoryView, SearchRequest } from "#ports/change-view.ts";
import { GitError, type GrepRead } from "#ports/git.ts";

/** Commits of a mirror, trees of a checkout, or folders. */
export interface ViewSource {
  readonly readFile: (side: Side, path: string, bytesMax: number) => Promise<Uint8Array | null>;
  readonly listFiles: (folder: string, pathsMax: number) => ReturnType<RepositoryView["listFiles"]>;
  /** Absent if a search would have to read every file. */
  readonly search?: (request: SearchRequest & { readonly signal: AbortSignal }) => Promise<FoundLines>;
  readonly history: (path: string, entriesMax: number) => Promise<readonly HistoryEntry[]>;
}

export type FoundLines = Extract<GrepRead, { readonly kind: "hits" }>;

const viewLimits = { fileBytesMax: 5_000_000, listedMax: 10_000, historyMax: 50 } as const;

/** The same limits and answers wherever it comes from. */
export function openView(
  { readFile, listFiles, search, history }: ViewSource,
  signal?: AbortSignal,
): Pick<ChangeView, "readFile"> & { readonly repository: RepositoryView } {
  return {
    readFile: async (side, path) => await orNull(() => readFile(side, path, viewLimits.fileBytesMax)),
    repository: {
      listFiles: async (folder) => await orNull(() => listFiles(folder, viewLimits.listedMax)),
      ...(search !== undefined && {
        search: async (request) =>
          await orNull(async () => {
            const signals = [signal, request.signal].filter((one) => one !== undefined);
            const { hits, alsoIn, isCut } = await search({ ...request, signal: AbortSignal.any(signals) });
            return {
              hits: hits.map(({ path, line, text }) => ({ path: path.text, line, text })),
              alsoIn: alsoIn.map(({ text }) => text),
              isCut,
            };
          }),
      }),
      history: async (path) => (await orNull(() => history(path, viewLimits.historyMax))) ?? [],
    },
  };
}

async function orNull<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GitError && error.kind === "bad_request") return null;
    throw error;
  }
}

export function pathsFrom(
  all: readonly string[],
  start: string,
  pathsMax: number,
): { readonly paths: readonly string[]; readonly isCut: boolean } {
  const below = all.filter((path) => path.startsWith(start));
  return { paths: below.slice(0, pathsMax), isCut: below.length > pathsMax };
}
