import { decodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { type FollowedLines, followLines } from "#core/diff/follow-lines.ts";
import type { RemarkedLines, Thread } from "#core/model/conversation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { FeedbackLines, FeedbackPlace } from "#ports/agent.ts";
import type { Mirror } from "#ports/git.ts";

export interface PlaceContext {
  readonly mirror: Pick<Mirror, "diff" | "logOf" | "readFile">;
  readonly head: HeadSha;
  readonly signal: AbortSignal;
}

const fileBytesMax = 4_000_000;
const diffBytesMax = 20_000_000;
/** Each commit takes a diff, so remarks on more commits are left for people. */
const commitsMax = 50;
/** Commits that changed the file since the remark. Earlier changes count as one step. */
const stepsMax = 30;

export type PlaceRemark = (thread: Pick<Thread, "path" | "remarked">) => Promise<FeedbackPlace>;

/** Follows the lines from the remarked commit in git. The lines that the forge shows now prove nothing. */
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

/** Otherwise the remark was made on something else. */
async function readLike({ mirror, signal }: PlaceContext, path: string, remarked: RemarkedLines): Promise<boolean> {
  const { commit, first, last, text } = remarked;
  const read = await mirror.readFile({ commit, path, bytesMax: fileBytesMax, signal });
  if (read.kind !== "file") return false;
  const lines = decodeText(read.bytes)
    .split("\n")
    .slice(first - 1, last);
  return lines.map((line) => line.replace(/\r$/, "")).join("\n") === text;
}

type DiffBetween = (base: HeadSha, head: HeadSha) => Promise<Diff | null>;

/** A line deleted and written again reads the same, so comparing only both ends would call it kept. */
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
    // Commits older than the remark, or of a branch merged later, are part of a later step.
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
