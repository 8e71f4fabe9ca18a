import type { HeadSha } from "#core/model/ids.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";
import type { ChangeView, RepositoryView } from "#ports/change-view.ts";
import { GitError, type Mirror } from "#ports/git.ts";

const lostCommit = "the mirror has lost the commit";
const viewLimits = { fileBytesMax: 5_000_000, listedMax: 10_000, historyMax: 50 } as const;

/** The files of the two compared commits, to read beyond the diff. */
export function fileReader(
  mirror: Mirror,
  commits: Readonly<Record<"new" | "old", HeadSha>>,
  signal: AbortSignal,
): ChangeView["readFile"] {
  return async (side, path) =>
    await orNull(async () => {
      const read = await mirror.readFile({ commit: commits[side], path, bytesMax: viewLimits.fileBytesMax, signal });
      if (read.kind === "unknown_commit") throw new Error(lostCommit);
      return read.kind === "file" ? read.bytes : null;
    });
}

/** The whole repository at the head. */
export function repositoryView({ mirror, head }: ComparedCommits, signal: AbortSignal): RepositoryView {
  return {
    listFiles: async (folder) =>
      await orNull(async () => {
        const read = await mirror.listTree({ commit: head, folder, entriesMax: viewLimits.listedMax, signal });
        if (read.kind === "unknown_commit") throw new Error(lostCommit);
        if (read.kind === "absent") return null;
        return { paths: read.entries.map(({ path }) => path.text), isCut: read.isCut };
      }),
    search: async (request) =>
      await orNull(async () => {
        const wanted = request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]);
        const read = await mirror.grep({ ...request, commit: head, signal: wanted });
        if (read.kind === "unknown_commit") throw new Error(lostCommit);
        return {
          hits: read.hits.map(({ path, line, text }) => ({ path: path.text, line, text })),
          alsoIn: read.alsoIn.map(({ text }) => text),
          isCut: read.isCut,
        };
      }),
    history: async (path) => {
      const asked = { commit: head, path, entriesMax: viewLimits.historyMax, signal };
      const log = await orNull(async () => await mirror.logOf(asked));
      if (log?.kind === "unknown_commit") throw new Error(lostCommit);
      return log?.entries ?? [];
    },
  };
}

/** A path that no repository can hold names no file. */
async function orNull<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GitError && error.kind === "bad_request") return null;
    throw error;
  }
}
