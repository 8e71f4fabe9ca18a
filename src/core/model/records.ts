import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { Finding } from "#core/model/finding.ts";
import { AccountId, CommentId, FindingId, HeadSha, ReviewId, SessionId, ThreadId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { HeadSeen } from "#core/model/pull.ts";

/** What the forge cannot tell. Also kept as state blocks on the pull, in case the database is lost. */

export const commandWords = [
  "review",
  "cancel",
  "enable-reviews",
  "disable-reviews",
  "fix",
  "stop-fixing",
  "merge",
  "hold",
  "unhold",
  "status",
  "help",
] as const;
export const CommandWord = z.enum(commandWords);
export type CommandWord = Data<typeof CommandWord>;

/** It is never handled again, even if its comment changes. */
export const CommandRecord = z.strictObject({
  comment: CommentId,
  word: CommandWord,
  by: AccountId,
  /** When it was said, not when it was obeyed. */
  at: Instant,
  /** What its author could see, null where that cannot be proven; of `enable-reviews` the head that it has reviewed. */
  head: HeadSha.nullable(),
  /** `nothing_to_do`: there was nothing that it could be obeyed on. */
  outcome: z.enum(["obeyed", "refused", "void", "malformed", "nothing_to_do"]),
  /** Kept here because an edit of the comment must not change it. */
  forMs: z.number().int().positive().nullable(),
  uptoMicroUsd: z.number().int().positive().nullable().default(null),
  limitMs: z.number().int().positive().nullable().default(null),
});
export type CommandRecord = Data<typeof CommandRecord>;

export const ClassificationRecord = z.strictObject({
  comment: CommentId,
  /** An edit makes the text another question. */
  revision: z.string().min(1),
  /** `command`: in other words. No model's reading acts, so it is answered with the right words. */
  meaning: z.enum(["question", "command", "review_request", "dispute", "acknowledgement", "out_of_scope", "nothing"]),
});
export type ClassificationRecord = Data<typeof ClassificationRecord>;

export const AnswerFailure = z.strictObject({
  why: z.string(),
  /** Zero where only the pull tells of failed rounds, and where there was no money to ask. */
  attempts: z.number().int().nonnegative(),
  /** Null where only the pull tells of it: then it is tried at once. */
  retryAt: Instant.nullable(),
});
export type AnswerFailure = Data<typeof AnswerFailure>;

export const QuestionRecord = z.strictObject({
  comment: CommentId,
  revision: z.string().min(1),
  /** `FAILED`: no model could be asked. The comment in `answer` says so, and is edited to the answer later. */
  status: z.enum(["PENDING", "IN_PROGRESS", "ANSWERED", "FAILED"]),
  answer: CommentId.nullable(),
  failure: AnswerFailure.optional(),
});
export type QuestionRecord = Data<typeof QuestionRecord>;

export const ManualReviewRecord = z.strictObject({
  comment: CommentId,
  status: z.enum(["PENDING", "IN_PROGRESS", "COMPLETED", "DISMISSED_BY_AUTO_REVIEW"]),
  head: HeadSha,
});
export type ManualReviewRecord = Data<typeof ManualReviewRecord>;

export const DisputeRecord = z.strictObject({
  reply: CommentId,
  revision: z.string().min(1),
  finding: FindingId,
  /** `moot`: the finding was settled before. A waiver's facts stand in the finding's resolution. */
  outcome: z.enum(["conceded", "maintained", "escalated", "waived", "moot"]),
  /** The comment that says so: it is edited for an edited reply. */
  answer: CommentId.nullable().optional(),
});
export type DisputeRecord = Data<typeof DisputeRecord>;

export const Coverage = z.strictObject({
  filesRead: z.number().int().nonnegative(),
  unread: z.array(
    z.strictObject({
      path: z.string().min(1),
      why: z.enum(["size", "binary", "generated", "excluded", "budget", "unreadable"]),
    }),
  ),
  /** The text gives orders to models: what a model does not say about it proves nothing. */
  isSwayed: z.literal(true).optional(),
});
export type Coverage = Data<typeof Coverage>;

export const ReviewTrigger = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("automatic") }),
  z.strictObject({ kind: z.literal("manual"), comment: CommentId, by: AccountId }),
]);
export type ReviewTrigger = Data<typeof ReviewTrigger>;

export const RunState = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("running") }),
  /** No worker runs it any more: a crash, or a CI run that was cancelled. */
  z.strictObject({ kind: z.literal("interrupted") }),
  z.strictObject({
    kind: z.literal("cancelled"),
    by: z.enum(["command", "newer_head", "suppression", "role_removed"]),
  }),
  z.strictObject({
    kind: z.literal("failed"),
    attempts: z.number().int().positive(),
    why: z.string(),
    retryAt: Instant,
  }),
  z.strictObject({
    kind: z.literal("completed"),
    at: Instant,
    coverage: Coverage,
    /** Those of this role that stand at this head: the truth about the head, should it come back. */
    findings: z.array(FindingId),
    summary: z.string(),
  }),
]);
export type RunState = Data<typeof RunState>;

export const ReviewRun = z.strictObject({
  head: HeadSha,
  baseBranch: z.string().min(1),
  role: z.string().min(1),
  trigger: ReviewTrigger,
  round: z.number().int().positive(),
  state: RunState,
  startedAt: Instant,
  /** The cost of a run without a result, once it is known and counted. */
  droppedMicroUsd: z.number().int().nonnegative().optional(),
});
export type ReviewRun = Data<typeof ReviewRun>;

export const ApprovalRecord = z.strictObject({
  account: AccountId,
  /** Which reaction or review: taking it away takes the approval away. */
  signal: z.string().min(1),
  at: Instant,
  head: HeadSha,
  baseBranch: z.string().min(1),
});
export type ApprovalRecord = Data<typeof ApprovalRecord>;

export const SessionRecord = z.strictObject({
  id: SessionId,
  purpose: z.enum(["feedback", "checks", "conflict", "command"]),
  head: HeadSha,
  startedAt: Instant,
  /** A set, since a time cursor loses what arrives meanwhile. Of a session that pushed, those that it addressed. */
  feedback: z.array(z.string().min(1)),
  /** What each remark meant when the agent read it (`meaning.ts`). Records of earlier versions do not say. */
  meanings: z.record(z.string(), z.string()).optional(),
  /** Given to a session that pushed and not addressed, each with the reason. */
  left: z.array(z.strictObject({ id: z.string().min(1), why: z.string() })).optional(),
  endedAt: Instant.optional(),
  state: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("running") }),
    /** No fault of an agent: it is begun again, and counts as no attempt. */
    z.strictObject({ kind: z.literal("unfinished"), cause: z.enum(["head_moved", "not_begun"]), why: z.string() }),
    z.strictObject({ kind: z.literal("pushed"), head: HeadSha, diff: z.string().min(1) }),
    z.strictObject({ kind: z.literal("stalled"), why: z.string() }),
    z.strictObject({ kind: z.literal("failed"), why: z.string() }),
    z.strictObject({ kind: z.literal("stopped") }),
  ]),
});
export type SessionRecord = Data<typeof SessionRecord>;

export const PublishedReview = z.strictObject({
  role: z.string().min(1),
  review: ReviewId,
  head: HeadSha,
  verdict: z.enum(["approve", "request_changes", "comment"]),
  /** Of the words, without sentinel and state blocks. */
  digest: z.string().min(1),
});
export type PublishedReview = Data<typeof PublishedReview>;

export const StatusRecord = z.strictObject({
  status: z.enum(["approved", "in_progress", "changes_requested", "pending", "timeout"]),
  /** Makes the key of each event unique, also when a status comes back. */
  count: z.number().int().positive(),
});
export type StatusRecord = Data<typeof StatusRecord>;

/** Kept where the forge does not tell when the description was edited. */
export const MarkerSeen = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("absent") }),
  z.strictObject({
    kind: z.literal("present"),
    /** When it was first seen; the pull's creation if it was there at the first look. */
    at: Instant,
    forMs: z.number().int().positive().nullable(),
  }),
]);
export type MarkerSeen = Data<typeof MarkerSeen>;

export const FeedbackRecord = z.strictObject({
  open: z.array(z.string().min(1)),
  /** Makes the key of each event unique. */
  count: z.number().int().positive(),
});
export type FeedbackRecord = Data<typeof FeedbackRecord>;

export const Records = z.strictObject({
  heads: z.array(HeadSeen).default(() => []),
  commands: z.array(CommandRecord).default(() => []),
  classifications: z.array(ClassificationRecord).default(() => []),
  questions: z.array(QuestionRecord).default(() => []),
  manualReviews: z.array(ManualReviewRecord).default(() => []),
  disputes: z.array(DisputeRecord).default(() => []),
  runs: z.array(ReviewRun).default(() => []),
  findings: z.array(Finding).default(() => []),
  published: z.array(PublishedReview).default(() => []),
  approvals: z.array(ApprovalRecord).default(() => []),
  sessions: z.array(SessionRecord).default(() => []),
  closedThreads: z.array(ThreadId).default(() => []),
  status: StatusRecord.nullable().default(null),
  /** Escalations that went out, and merges that were handed over (`hand-over.ts`). */
  escalations: z.array(z.string()).default(() => []),
  mergeQueued: z
    .strictObject({ head: HeadSha, baseBranch: z.string().min(1) })
    .nullable()
    .default(null),
  spentMicroUsd: z.number().int().nonnegative().default(0),
  /** Absent before the first check, and if the forge tells the edits of descriptions. */
  marker: MarkerSeen.optional(),
  /** First seen as ready after a draft; null while it is a draft; absent if it never was. */
  readySince: Instant.nullable().optional(),
  feedback: FeedbackRecord.optional(),
});
export type Records = Data<typeof Records>;
