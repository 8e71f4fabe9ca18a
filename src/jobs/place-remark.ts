import { decodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { followLines } from "#core/diff/follow-lines.ts";
import type { RemarkedLines, Thread } from "#core/model/conversation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { FeedbackLines, FeedbackPlace } from "#ports/agent.ts";
import type { Mirror } from "#ports/git.ts";

export interface PlaceContext {
  readonly mirror: Pick<Mirror, "diff" | "readFile">;
  /** What the session works on. */
  readonly head: HeadSha;
  readonly signal: AbortSignal;
}

const fileBytesMax = 4_000_000;
const diffBytesMax = 20_000_000;
/** Remarks on more commits than that are left for people: each takes a diff. */
const commitsMax = 50;

export type PlaceRemark = (thread: Pick<Thread, "path" | "remarked">) => Promise<FeedbackPlace>;

/**
 * Finds the lines of a remark at the head of a session. The forge says which lines of which commit it was made on, and
 * how they read; git has that commit, and says what became of them. What the forge shows now is not believed: one of
 * them never moves a remark, and none proves that it moved it to the same code.
 */
export function createPlaceRemark(context: PlaceContext): PlaceRemark {
  const diffs = new Map<HeadSha, Promise<Diff | null>>();
  const diffSince = async (commit: HeadSha): Promise<Diff | null> => {
    const known = diffs.get(commit) ?? (diffs.size < commitsMax ? readDiffSince(context, commit) : null);
    if (known !== null) diffs.set(commit, known);
    return await known;
  };
  return async ({ path, remarked }) => {
    if (remarked === null) return { path, lines: { kind: "unproven" } };
    if (remarked.side === "old") return { path, lines: { kind: "old_side" } };
    if (remarked.text === null || !(await readLike(context, path, remarked))) {
      return { path, lines: { kind: "unproven" } };
    }
    const { commit, first, last, text } = remarked;
    if (commit === context.head) return { path, lines: { kind: "proven", first, last, text } };
    const diff = await diffSince(commit);
    if (diff === null) return { path, lines: { kind: "unproven" } };
    const now = followLines(diff, { path, first, last });
    const lines: FeedbackLines =
      now === undefined ? { kind: "outdated" } : { kind: "proven", first: now.first, last: now.last, text };
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

/** Null where the history was rewritten since, or git cannot say: then nothing can be followed. */
async function readDiffSince({ mirror, head, signal }: PlaceContext, commit: HeadSha): Promise<Diff | null> {
  const read = await mirror.diff({ base: commit, head, bytesMax: diffBytesMax, signal });
  if (read.kind !== "diff" || read.mergeBase !== commit) return null;
  const outcome = parseDiff(read.bytes);
  return outcome.kind === "diff" ? outcome.diff : null;
}
