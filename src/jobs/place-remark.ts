import { decodeText } from "#core/diff/byte-scan.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { type FollowedLines, followLines } from "#core/diff/follow-lines.ts";
import type { RemarkedLines, Thread } from "#core/model/conversation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { FeedbackLines, FeedbackPlace } from "#ports/agent.ts";
import type { Mirror } from "#ports/git.ts";

export interface PlaceContext {
  readonly mirror: Pick<Mirror, "diff" | "logOf" | "readFile">;
  /** What the session works on. */
  readonly head: HeadSha;
  readonly signal: AbortSignal;
}

const fileBytesMax = 4_000_000;
const diffBytesMax = 20_000_000;
/** Remarks on more commits than that are left for people: each takes a diff. */
const commitsMax = 50;
/** Of the commits that changed a file since a remark. What changed before them counts as one step. */
const stepsMax = 30;

export type PlaceRemark = (thread: Pick<Thread, "path" | "remarked">) => Promise<FeedbackPlace>;

/**
 * Finds the lines of a remark at the head of a session. The forge says which lines of which commit it was made on, and
 * how they read; git has that commit, and says what became of them. What the forge shows now is not believed: one of
 * them never moves a remark, and none proves that it moved it to the same code.
 */
export function createPlaceRemark(context: PlaceContext): PlaceRemark {
  const diffs = new Map<string, Promise<Diff | null>>();
  const diffBetween: DiffBetween = async (base, head) => {
    const key = `${base} ${head}`;
    const known = diffs.get(key) ?? readDiff(context, base, head);
    diffs.set(key, known);
    return await known;
  };
  const remarkedOn = new Set<HeadSha>();
  return async ({ path, remarked }) => {
    if (remarked === null) return { path, lines: { kind: "unproven" } };
    if (remarked.side === "old") return { path, lines: { kind: "old_side" } };
    if (remarked.text === null || !(await readLike(context, path, remarked))) {
      return { path, lines: { kind: "unproven" } };
    }
    const { commit, first, last, text } = remarked;
    if (commit === context.head) return { path, lines: { kind: "proven", first, last, text } };
    const diff = remarkedOn.add(commit).size > commitsMax ? null : await diffBetween(commit, context.head);
    if (diff === null) return { path, lines: { kind: "unproven" } };
    const now = followLines(diff, { path, first, last });
    const isKept =
      now !== undefined && (await isKeptByEachCommit(context, diffBetween, { commit, path, first, last }, now));
    const lines: FeedbackLines = isKept
      ? { kind: "proven", first: now.first, last: now.last, text }
      : { kind: "outdated" };
    return { path: now?.path ?? path, lines };
  };
}

/** Whether the lines read in that commit as the forge showed them. Elsewhere the remark was made on something else. */
async function readLike({ mirror, signal }: PlaceContext, path: string, remarked: RemarkedLines): Promise<boolean> {
  const { commit, first, last, text } = remarked;
  const read = await mirror.readFile({ commit, path, bytesMax: fileBytesMax, signal });
  if (read.kind !== "file") return false;
  const lines = decodeText(read.bytes)
    .split("\n")
    .slice(first - 1, last);
  return lines.map((line) => line.replace(/\r$/, "")).join("\n") === text;
}

/** Null where the one does not follow from the other, or git cannot say. */
type DiffBetween = (base: HeadSha, head: HeadSha) => Promise<Diff | null>;

/**
 * A line that was deleted and written again reads like the remarked one, and a comparison of the two ends takes it for the same.
 * Followed from commit to commit it is gone.
 */
async function isKeptByEachCommit(
  { mirror, head, signal }: PlaceContext,
  diffBetween: DiffBetween,
  remarked: FollowedLines & { readonly commit: HeadSha },
  end: FollowedLines,
): Promise<boolean> {
  const log = await mirror.logOf({ commit: head, path: end.path, entriesMax: stepsMax, signal });
  const steps = log.kind === "log" ? log.entries.map(({ commit }) => commit).toReversed() : [];
  let at = remarked.commit;
  let lines: FollowedLines | undefined = remarked;
  for (const next of [...steps, head]) {
    // What is older than the remark, or on another branch that was merged later, is part of a later step.
    const diff = await diffBetween(at, next);
    if (diff === null) continue;
    lines = followLines(diff, lines);
    if (lines === undefined) return false;
    at = next;
  }
  return lines.path === end.path && lines.first === end.first;
}

async function readDiff({ mirror, signal }: PlaceContext, base: HeadSha, head: HeadSha): Promise<Diff | null> {
  const read = await mirror.diff({ base, head, bytesMax: diffBytesMax, signal });
  if (read.kind !== "diff" || read.mergeBase !== base) return null;
  const outcome = parseDiff(read.bytes);
  return outcome.kind === "diff" ? outcome.diff : null;
}
