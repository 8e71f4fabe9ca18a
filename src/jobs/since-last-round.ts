import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import type { ChangedCode } from "#core/review/changed-code.ts";
import { changedSince, renamesSince, type TwoRounds } from "#core/review/changed-since.ts";
import { reviewedDiffBytesMax } from "#jobs/change-view.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";

export interface SinceLastRound {
  /** What the pull changes now; undefined where it cannot be had. */
  readonly diff: Diff | undefined;
  readonly changed: ChangedCode;
  readonly renames: ReadonlyMap<string, string>;
}

/** What the reviewed code has been through since the same role last read it. */
export async function sinceLastRound(
  compared: ComparedCommits,
  { records, run, signal }: { readonly records: Records; readonly run: ReviewRun; readonly signal: AbortSignal },
): Promise<SinceLastRound> {
  const now = await readDiff(compared, compared, signal);
  const everything = { diff: now?.diff, changed: { kind: "everything" }, renames: new Map() } as const;
  const last = lastLook(records, run);
  if (now === undefined || last === undefined || run.round === 1) return everything;
  const before = await readDiff(compared, { base: compared.base, head: last.head }, signal);
  if (before === undefined) return everything;
  const { mirror, head } = compared;
  const follows = (await mirror.ancestry({ older: last.head, newer: head })) === "ancestor";
  const between = follows ? await readDiff(compared, { base: last.head, head }, signal) : null;
  if (between === undefined) return everything;
  const rounds: TwoRounds = {
    before: before.diff,
    now: now.diff,
    between: between?.diff ?? null,
    isSameBase: before.mergeBase === now.mergeBase,
  };
  const renames = renamesSince(rounds);
  return { diff: now.diff, changed: withUnread(changedSince(rounds), last.unread, renames), renames };
}

interface LastLook {
  readonly head: HeadSha;
  /** Files that it left unread were never reviewed, changed or not. */
  readonly unread: ReadonlySet<string>;
}

/** The look of the last round, counted as `runs-to-start.ts` counts rounds. */
function lastLook(records: Records, run: ReviewRun): LastLook | undefined {
  const rounds = records.runs.flatMap(({ role, baseBranch, head, round, state }) => {
    const isOwn = role === run.role && baseBranch === run.baseBranch && head !== run.head;
    if (!isOwn || state.kind !== "completed" || state.coverage.filesRead === 0) return [];
    return [{ head, round, unread: new Set(state.coverage.unread.map(({ path }) => path)) }];
  });
  return rounds.toSorted((left, right) => left.round - right.round).at(-1);
}

function withUnread(
  changed: ChangedCode,
  unread: LastLook["unread"],
  renames: ReadonlyMap<string, string>,
): ChangedCode {
  if (changed.kind === "everything" || unread.size === 0) return changed;
  const renamed = [...renames].flatMap(([path, old]) => (unread.has(old) ? [path] : []));
  const anew = [...unread, ...renamed].map((path) => [path, { old: wholeFile, new: wholeFile }] as const);
  return { kind: "parts", paths: new Map([...changed.paths, ...anew]) };
}

const wholeFile = [{ first: 1, last: Number.MAX_SAFE_INTEGER }];

async function readDiff(
  { mirror }: ComparedCommits,
  { base, head }: Pick<ComparedCommits, "base" | "head">,
  signal: AbortSignal,
): Promise<{ readonly diff: Diff; readonly mergeBase: HeadSha } | undefined> {
  const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal });
  if (read.kind !== "diff") return undefined;
  const parsed = parseDiff(read.bytes);
  return parsed.kind === "diff" ? { diff: parsed.diff, mergeBase: read.mergeBase } : undefined;
}
