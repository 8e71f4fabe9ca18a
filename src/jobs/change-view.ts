import { type PullContext } from "#act/pull-context.ts";
import { type HeadSha } from "#core/model/ids.ts";
import { type Pull } from "#core/model/pull.ts";
import { type Rules } from "#core/model/rules.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { type JobContext } from "#jobs/job-context.ts";
import { type LazyComparison, orIfGitFails } from "#jobs/lazy-comparison.ts";
import { readRulesInForce } from "#jobs/rules-in-force.ts";
import { type ComparedCommits } from "#observe/change-facts.ts";
import { type ChangeView } from "#ports/change-view.ts";
import { type DiffRead } from "#ports/git.ts";
import { type ConversationView } from "#ports/model.ts";
import { openView, type ViewSource } from "#ports/view-source.ts";

function mirrorSource({ mirror, head }: ComparedCommits, mergeBase: HeadSha, signal: AbortSignal): ViewSource {
  const commits = { new: head, old: mergeBase };
  return {
    readFile: async (side, path, bytesMax) => {
      const read = known(await mirror.readFile({ commit: commits[side], path, bytesMax, signal }));
      return read.kind === "file" ? read.bytes : null;
    },
    listFiles: async (folder, entriesMax) => {
      const read = known(await mirror.listTree({ commit: head, folder, entriesMax, signal }));
      return read.kind === "tree" ? { paths: read.entries.map(({ path }) => path.text), isCut: read.isCut } : null;
    },
    search: async (request) => known(await mirror.grep({ ...request, commit: head })),
    history: async (path, entriesMax) => known(await mirror.logOf({ commit: head, path, entriesMax, signal })).entries,
  };
}

function known<Read extends { readonly kind: string }>(read: Read): Exclude<Read, { readonly kind: "unknown_commit" }> {
  if (read.kind === "unknown_commit") throw new Error("the mirror has lost the commit");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind was just looked at.
  return read as Exclude<Read, { readonly kind: "unknown_commit" }>;
}

/** A larger change is not read in parts, because a part of it cannot be understood. */
export const reviewedDiffBytesMax = 20_000_000;

export type ReadDiff = Extract<DiffRead, { readonly kind: "diff" }>;

interface ViewOptions {
  readonly compared: ComparedCommits;
  readonly read: ReadDiff;
  readonly pull: Pull;
  readonly rules: Rules;
  /** Null: no role in particular, so everything is read. */
  readonly role: string | null;
  readonly signal: AbortSignal;
}

export function changeView({ compared, read, pull, rules, role, signal }: ViewOptions): ChangeView {
  return {
    ...(role === null ? {} : { brief: briefOf(rules.reviews, role) }),
    head: compared.head,
    baseBranch: pull.base.branch,
    diff: read.bytes,
    about: { title: pull.title, description: pull.body },
    ...openView(mirrorSource(compared, read.mergeBase, signal), signal),
    excludedPaths: rules.reviews.excludedPaths,
  };
}

interface TalkViewOptions extends Pick<ViewOptions, "role">, Pick<ConversationView, "path"> {
  readonly compare: LazyComparison;
}

export async function talkView(
  context: JobContext,
  { seen }: PullContext,
  options: TalkViewOptions,
): Promise<ConversationView | null> {
  const { compare, role, path } = options;
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
