import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { Finding } from "#core/model/finding.ts";
import { CommentId } from "#core/model/ids.ts";
import {
  ClassificationRecord,
  CommandRecord,
  DisputeRecord,
  ManualReviewRecord,
  PublishedReview,
  QuestionRecord,
  Records,
  ReviewRun,
} from "#core/model/records.ts";
import { never } from "#core/never.ts";

/** One block per pull, rewritten as it changes. */
export const ProcessState = Records.pick({
  heads: true,
  approvals: true,
  status: true,
  escalations: true,
  mergeQueued: true,
  closedThreads: true,
  sessions: true,
  spentMicroUsd: true,
  marker: true,
  readySince: true,
  feedback: true,
});
export type ProcessState = Data<typeof ProcessState>;

/** The comment that carries the block is the answer to that wording of the question. */
export const QuestionAnswer = QuestionRecord.pick({ comment: true, revision: true });
export type QuestionAnswer = Data<typeof QuestionAnswer>;

/** The review that carries the block is the published one. */
export const ReviewBlockData = z.strictObject({
  run: ReviewRun,
  published: PublishedReview.pick({ verdict: true, digest: true }).nullable(),
});
export type ReviewBlockData = Data<typeof ReviewBlockData>;

/** A model is not paid again for what it has read. */
export const ClassificationPage = z.strictObject({
  page: z.number().int().nonnegative(),
  remarks: z.array(ClassificationRecord).min(1),
});
export type ClassificationPage = Data<typeof ClassificationPage>;

/** Of blocks with the same type and subject the one with the highest revision counts. */
export const Block = z.discriminatedUnion("type", [
  blockOf("process-state", ProcessState),
  blockOf("question", QuestionRecord),
  blockOf("question-answer", QuestionAnswer),
  blockOf("manual-pr-review", ManualReviewRecord),
  blockOf("review-finding", Finding),
  blockOf("dispute-resolution", DisputeRecord),
  blockOf("review", ReviewBlockData),
  blockOf("command", CommandRecord),
  blockOf("classification", ClassificationPage),
]);
export type Block = Data<typeof Block>;

export type BlockContent = Block extends infer Each
  ? Each extends Block
    ? Pick<Each, "type" | "data">
    : never
  : never;

function blockOf<Type extends string, Content extends z.ZodType>(type: Type, data: Content) {
  return z.strictObject({
    type: z.literal(type),
    subject: z.string().min(1),
    revision: z.number().int().nonnegative(),
    data,
  });
}

export function makeBlock(content: BlockContent, revision: number): Block {
  return { ...content, subject: blockSubjectOf(content), revision };
}

export function blockKey(block: Pick<Block, "type" | "subject">): string {
  return `${block.type} ${block.subject}`;
}

const processSubject = "pull";

/** The subject follows from the data, so a block cannot claim to be about something else. */
export function blockSubjectOf(content: BlockContent): string {
  switch (content.type) {
    case "process-state":
      return processSubject;
    case "question":
    case "question-answer":
    case "manual-pr-review":
    case "command":
      return content.data.comment;
    case "review-finding":
      return content.data.id;
    case "dispute-resolution":
      return content.data.reply;
    case "review":
      return runSubject(content.data.run);
    case "classification":
      return `page ${content.data.page}`;
    default:
      return never(content);
  }
}

/** JSON, since a branch may hold any separator; with the start, since a review may be started again. */
export function runSubject({ head, baseBranch, role, trigger, startedAt }: ReviewRun): string {
  const asked = trigger.kind === "manual" ? trigger.comment : null;
  return JSON.stringify([head, baseBranch, role, asked, startedAt]);
}

export const Carrier = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("comment"), id: CommentId }),
  z.strictObject({ kind: z.literal("thread_comment"), id: CommentId }),
  z.strictObject({ kind: z.literal("review"), id: PublishedReview.shape.review }),
]);
export type Carrier = Data<typeof Carrier>;
