import { z } from "zod";
import { compareIds } from "#core/derive/canonical-order.ts";
import type { Data } from "#core/model/data.ts";
import { type Finding, FindingState } from "#core/model/finding.ts";
import { CommentId, FindingId, ReviewId, ThreadId } from "#core/model/ids.ts";
import {
  AnswerFailure,
  CommandRecord,
  DisputeRecord,
  ManualReviewRecord,
  PublishedReview,
  QuestionRecord,
  type Records,
} from "#core/model/records.ts";
import { never } from "#core/never.ts";

/** Kept beside the effect, so that a crash loses neither. */
export const RecordUpdate = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("command"), record: CommandRecord }),
  /** The review is the effect's result. */
  z.strictObject({ kind: z.literal("published"), published: PublishedReview.omit({ review: true }) }),
  z.strictObject({ kind: z.literal("manual_review"), record: ManualReviewRecord }),
  z.strictObject({ kind: z.literal("thread_closed"), thread: ThreadId }),
  /** With what people outside of the forge are told. */
  z.strictObject({
    kind: z.literal("escalated"),
    key: z.string().min(1),
    severity: z.enum(["info", "warning", "blocking"]),
    text: z.string(),
  }),
  z.strictObject({ kind: z.literal("answered"), question: QuestionRecord.pick({ comment: true, revision: true }) }),
  /** The comment that says so is the effect's result. */
  z.strictObject({
    kind: z.literal("unanswered"),
    questions: z.array(QuestionRecord.pick({ comment: true, revision: true })).min(1),
    failure: AnswerFailure,
  }),
  z.strictObject({
    kind: z.literal("disputed"),
    disputes: z.array(DisputeRecord),
    finding: FindingId,
    state: FindingState,
  }),
]);
export type RecordUpdate = Data<typeof RecordUpdate>;

/** Twice is once. `result` is the forge's id of what the effect made. */
export function applyRecordUpdate(records: Records, note: RecordUpdate, result: string | null): Records {
  switch (note.kind) {
    case "none":
      return records;
    case "command":
      return { ...records, commands: replaceByKey(records.commands, note.record, (one) => one.comment) };
    case "published": {
      if (result === null) return records;
      const published = { ...note.published, review: ReviewId.parse(result) };
      const live = records.published.findLast((one) => one.role === published.role);
      // A worker that slept may tell of a review that another has followed up: the later one stays live.
      if (live !== undefined && compareIds(live.review, published.review) > 0) return records;
      return { ...records, published: replaceByKey(records.published, published, (one) => one.role) };
    }
    case "manual_review":
      return { ...records, manualReviews: replaceByKey(records.manualReviews, note.record, (one) => one.comment) };
    case "thread_closed":
      return { ...records, closedThreads: [...new Set([...records.closedThreads, note.thread])] };
    case "escalated":
      return { ...records, escalations: [...new Set([...records.escalations, note.key])] };
    case "answered": {
      const answer = result === null ? null : CommentId.parse(result);
      const question = { ...note.question, status: "ANSWERED" as const, answer };
      return { ...records, questions: replaceByKey(records.questions, question, (one) => one.comment) };
    }
    case "unanswered": {
      const answer = result === null ? null : CommentId.parse(result);
      let { questions } = records;
      for (const one of note.questions) {
        const question = { ...one, status: "FAILED" as const, answer, failure: note.failure };
        questions = replaceByKey(questions, question, ({ comment }) => comment);
      }
      return { ...records, questions };
    }
    case "disputed":
      return noteDisputes(records, note, result);
    default:
      return never(note);
  }
}

function noteDisputes(
  records: Records,
  note: Extract<RecordUpdate, { kind: "disputed" }>,
  result: string | null,
): Records {
  const answer = result === null ? null : CommentId.parse(result);
  const disputes = note.disputes.reduce(
    (known, one) => replaceByKey(known, { ...one, answer }, ({ reply, revision }) => `${reply} ${revision}`),
    records.disputes,
  );
  // A look may have found it fixed meanwhile: an argument does not bring it back.
  const isMeant = ({ id, state }: Finding): boolean =>
    id === note.finding && (state.kind !== "resolved" || note.state.kind === "resolved");
  const findings = records.findings.map((finding) => (isMeant(finding) ? { ...finding, state: note.state } : finding));
  const settled = new Set(note.disputes.map(({ reply }) => reply));
  // What could not be weighed before has been weighed now.
  const questions = records.questions.map((one) => {
    const { comment, revision, status } = one;
    return status === "FAILED" && settled.has(comment)
      ? { comment, revision, status: "ANSWERED" as const, answer }
      : one;
  });
  return { ...records, disputes, findings, questions };
}

/** Moved to the end: later words hold. */
export function replaceByKey<Item>(items: readonly Item[], item: Item, keyOf: (item: Item) => string): readonly Item[] {
  const key = keyOf(item);
  return [...items.filter((other) => keyOf(other) !== key), item];
}
