import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { CommentId, FindingId, HeadSha, RepositoryId, SessionId, ThreadId } from "#core/model/ids.ts";
import { ReviewRun } from "#core/model/records.ts";

/** The work itself is looked up again: an entry may be hours old. */
const PullPlace = z.strictObject({
  repository: z.strictObject({ id: RepositoryId, name: z.string().min(1) }),
  number: z.number().int().positive(),
});

export const TickJob = z.strictObject({
  pull: PullPlace,
  /** Only puts the pull in again: see `poke`. */
  isReminder: z.boolean().default(false),
});

export const ReviewJobData = z.strictObject({
  pull: PullPlace,
  run: ReviewRun,
  attempt: z.number().int().positive(),
});
export type ReviewJobData = Data<typeof ReviewJobData>;

/** The batch of an unneeded run is ended, and its cost is counted. */
export const AbandonJobData = z.strictObject({ kind: z.literal("abandon"), pull: PullPlace, run: ReviewRun });
export type AbandonJobData = Data<typeof AbandonJobData>;

export const ReviewQueueData = z.union([ReviewJobData, AbandonJobData]);
export type ReviewQueueData = Data<typeof ReviewQueueData>;

export const SessionJobData = z.strictObject({
  pull: PullPlace,
  session: SessionId,
  uptoMicroUsd: z.number().int().positive().nullable(),
  limitMs: z.number().int().positive().nullable(),
});
export type SessionJobData = Data<typeof SessionJobData>;

const wording = { comment: CommentId, revision: z.string().min(1) };

export const TalkJobData = z.strictObject({
  pull: PullPlace,
  key: z.string().min(1),
  task: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("classify"), ...wording, thread: ThreadId.nullable() }),
    z.strictObject({
      kind: z.literal("answer"),
      ...wording,
      thread: ThreadId.nullable(),
      earlierAnswer: CommentId.nullable(),
    }),
    z.strictObject({
      kind: z.literal("resolve_dispute"),
      thread: ThreadId,
      finding: FindingId,
      replies: z.array(z.strictObject(wording)).min(1),
    }),
  ]),
});
export type TalkJobData = Data<typeof TalkJobData>;

export const PollJob = z.strictObject({
  repository: z.string().min(1),
  everyMs: z.number().int().positive(),
});

export const LandingJob = z.strictObject({ pull: PullPlace, head: HeadSha, baseBranch: z.string().min(1) });
