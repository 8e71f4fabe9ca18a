import { type PullContext } from "#act/pull-context.ts";
import { type HeadSha } from "#core/model/ids.ts";
import { type Pull } from "#core/model/pull.ts";
import { type Rules } from "#core/model/rules.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { type JobContext } from "#jobs/job-context.ts";
import { type LazyComparison, orIfGitFails } from "#jobs/lazy-comparison.ts";
import { readRulesInForce } from "#jobs/rules-in-force.ts";
import { type ComparedCommits } from "#observe/change-facts.ts";
import { type ChangeView, type RepositoryView } from "#ports/change-view.ts";
import { type DiffRead, GitError, type Mirror } from "#ports/git.ts";
import { type ConversationView } from "#ports/model.ts";

const lostCommit = "the mirror has lost the commit";
const viewLimits = { fileBytesMax: 5_000_000, listedMax: 10_000, historyMax: 50 } as const;

/** The files of the two compared commits, to read beyond the diff. */
function fileReader(
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
function repositoryView({ mirror, head }: ComparedCommits, signal: AbortSignal): RepositoryView {
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

/** Of the whole change. A larger one is not read in parts, because a part of it cannot be understood. */
export const reviewedDiffBytesMax = 20_000_000;

export type ReadDiff = Extract<DiffRead, { readonly kind: "diff" }>;

interface Viewed {
  readonly compared: ComparedCommits;
  readonly read: ReadDiff;
  readonly pull: Pull;
  readonly rules: Rules;
  /** Null for no role in particular: then everything is read. */
  readonly role: string | null;
  readonly signal: AbortSignal;
}

/** The change of a pull as its roles see it; answers are based on the same view. */
export function changeView({ compared, read, pull, rules, role, signal }: Viewed): ChangeView {
  return {
    ...(role === null ? {} : { brief: briefOf(rules.reviews, role) }),
    head: compared.head,
    baseBranch: pull.base.branch,
    diff: read.bytes,
    readFile: fileReader(compared.mirror, { new: compared.head, old: read.mergeBase }, signal),
    about: { title: pull.title, description: pull.body },
    repository: repositoryView(compared, signal),
    excludedPaths: rules.reviews.excludedPaths,
  };
}

interface Talked extends Pick<Viewed, "role">, Pick<ConversationView, "path"> {
  readonly compare: LazyComparison;
}

/** The change that the conversation is about; null if git cannot determine it. */
export async function talkView(
  context: JobContext,
  { seen }: PullContext,
  talked: Talked,
): Promise<ConversationView | null> {
  const { compare, role, path } = talked;
  const { signal } = context;
  const { pull } = seen;
  return await orIfGitFails(async () => {
    const compared = await compare();
    if (compared === undefined) return null;
    const { rules } = await readRulesInForce(context, compared, seen.rules);
    const { mirror, base, head } = compared;
    const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal });
    return read.kind === "diff" ? { ...changeView({ compared, read, pull, rules, role, signal }), path } : null;
  }, null);
}
