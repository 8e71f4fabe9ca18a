import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import type { ChangedCode } from "#core/review/changed-code.ts";
import { isComplete } from "#core/review/coverage.ts";
import { changedSince, renamesSince, type TwoRounds } from "#jobs/changed-since.ts";
import { reviewedDiffBytesMax } from "#jobs/look-at-change.ts";
import type { Comparing } from "#observe/change.ts";

export interface SinceLastRound {
  /** What the pull changes now; undefined where it cannot be had. */
  readonly diff: Diff | undefined;
  readonly changed: ChangedCode;
  readonly renames: ReadonlyMap<string, string>;
}

/** What the reviewed code has been through since the same role last read all of it. */
export async function sinceLastRound(
  compared: Comparing,
  { records, run, signal }: { readonly records: Records; readonly run: ReviewRun; readonly signal: AbortSignal },
): Promise<SinceLastRound> {
  const now = await readDiff(compared, compared, signal);
  const everything = { diff: now?.diff, changed: { kind: "everything" }, renames: new Map() } as const;
  const last = lastHead(records, run);
  if (now === undefined || last === undefined || run.round === 1) return everything;
  const before = await readDiff(compared, { base: compared.base, head: last }, signal);
  if (before === undefined) return everything;
  const { mirror, head } = compared;
  const follows = (await mirror.ancestry({ older: last, newer: head })) === "ancestor";
  const between = follows ? await readDiff(compared, { base: last, head }, signal) : null;
  if (between === undefined) return everything;
  const rounds: TwoRounds = {
    before: before.diff,
    now: now.diff,
    between: between?.diff ?? null,
    isSameBase: before.mergeBase === now.mergeBase,
  };
  return { diff: now.diff, changed: changedSince(rounds), renames: renamesSince(rounds) };
}

/** The head of the last complete round, counted as `runs-to-start.ts` counts rounds. */
function lastHead(records: Records, run: ReviewRun): HeadSha | undefined {
  const rounds = records.runs.filter(
    ({ role, baseBranch, head, state }) =>
      role === run.role &&
      baseBranch === run.baseBranch &&
      head !== run.head &&
      state.kind === "completed" &&
      isComplete(state.coverage),
  );
  return rounds.toSorted((left, right) => left.round - right.round).at(-1)?.head;
}

async function readDiff(
  { mirror }: Comparing,
  { base, head }: Pick<Comparing, "base" | "head">,
  signal: AbortSignal,
): Promise<{ readonly diff: Diff; readonly mergeBase: HeadSha } | undefined> {
  const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal });
  if (read.kind !== "diff") return undefined;
  const parsed = parseDiff(read.bytes);
  return parsed.kind === "diff" ? { diff: parsed.diff, mergeBase: read.mergeBase } : undefined;
}
