import { z } from "zod";
import { Account } from "#core/model/account.ts";
import type { Data } from "#core/model/data.ts";
import { CommentId, HeadSha, ReviewId, ThreadId, Untrusted } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";

/** A remark in the conversation of the pull, or in a thread. */
export const Comment = z.strictObject({
  id: CommentId,
  author: Account,
  body: Untrusted,
  createdAt: Instant,
  /** Null when never edited, or where the forge does not tell. */
  editedAt: Instant.nullable(),
  /** It goes on behind what is here: it is longer than `bodyCharactersMax`. */
  isCut: z.literal(true).optional(),
});
export type Comment = Data<typeof Comment>;

/** When the text as it stands now was written: what the author could see is what stood then. */
export function writtenAt(comment: Comment): Instant {
  return comment.editedAt === null || comment.editedAt < comment.createdAt ? comment.createdAt : comment.editedAt;
}

/** The lines that a remark was made on, in the commit that its author looked at. They do not move. */
export const RemarkedLines = z.strictObject({
  commit: HeadSha,
  side: z.enum(["old", "new"]),
  first: z.number().int().positive(),
  last: z.number().int().positive(),
  /** As the forge showed them, without carriage returns; null where it does not tell all of them. */
  text: z.string().max(limits.bodyCharactersMax).nullable(),
});
export type RemarkedLines = Data<typeof RemarkedLines>;

/** A thread on a line of the diff; the first comment is the remark, the others are replies. */
export const Thread = z.strictObject({
  id: ThreadId,
  path: z.string().min(1),
  /** The last line of it, where the forge shows it now; null where it is outdated. Gitea never moves it. */
  line: z.number().int().positive().nullable(),
  /** Null if it is not about lines of one side, or if these are unknown. */
  remarked: RemarkedLines.nullable().default(null),
  isResolved: z.boolean(),
  comments: z.array(Comment).min(1),
});
export type Thread = Data<typeof Thread>;

export const Review = z.strictObject({
  id: ReviewId,
  author: Account,
  state: z.enum(["approved", "changes_requested", "commented", "dismissed", "pending"]),
  /** The text as people see it now; Gitea's lists go on returning the first one, so the forge's adapter looks it up. */
  body: Untrusted,
  submittedAt: Instant,
  /**
   * What the forge says was reviewed. A force-push may re-point it, so it never proves what was approved; where it
   * contradicts, it is enough to doubt.
   */
  commit: HeadSha.nullable(),
  /** As with a comment. */
  isCut: z.literal(true).optional(),
});
export type Review = Data<typeof Review>;

/** On the pull itself: reactions on comments say nothing about the pull. */
export const Reaction = z.strictObject({
  author: Account,
  content: z.enum(["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"]),
  createdAt: Instant,
});
export type Reaction = Data<typeof Reaction>;

/** A check run or commit status on the head; Drover's own gate is not among them. */
export const Check = z.strictObject({
  name: z.string().min(1),
  /** The app or account that reports it: another's check of the same name is another check. */
  source: z.string(),
  head: HeadSha,
  /** `passed` holds skipped and neutral too, as the forges count them. */
  state: z.enum(["pending", "passed", "failed"]),
  startedAt: Instant.nullable(),
});
export type Check = Data<typeof Check>;
