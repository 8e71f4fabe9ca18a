import { z } from "zod";
import { Account } from "#core/model/account.ts";
import type { Data } from "#core/model/data.ts";
import { CommentId, HeadSha, ReviewId, ThreadId, Untrusted } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { limits } from "#core/model/limits.ts";

export const Comment = z.strictObject({
  id: CommentId,
  author: Account,
  body: Untrusted,
  createdAt: Instant,
  editedAt: Instant.nullable(),
  isCut: z.literal(true).optional(),
});
export type Comment = Data<typeof Comment>;

/** What the author could see is what stood when the present text was written. */
export function writtenAt(comment: Comment): Instant {
  return comment.editedAt === null || comment.editedAt < comment.createdAt ? comment.createdAt : comment.editedAt;
}

/** In the commit that its author looked at. They do not move. */
export const RemarkedLines = z.strictObject({
  commit: HeadSha,
  side: z.enum(["old", "new"]),
  first: z.number().int().positive(),
  last: z.number().int().positive(),
  /** Without carriage returns; null where the forge does not tell all of them. */
  text: z.string().max(limits.bodyCharactersMax).nullable(),
});
export type RemarkedLines = Data<typeof RemarkedLines>;

export const Thread = z.strictObject({
  id: ThreadId,
  path: z.string().min(1),
  /** The last line, where the forge shows it now; null where it is outdated. Gitea never moves it. */
  line: z.number().int().positive().nullable(),
  remarked: RemarkedLines.nullable().default(null),
  isResolved: z.boolean(),
  comments: z.array(Comment).min(1),
});
export type Thread = Data<typeof Thread>;

export const Review = z.strictObject({
  id: ReviewId,
  author: Account,
  state: z.enum(["approved", "changes_requested", "commented", "dismissed", "pending"]),
  /** As people see it now: Gitea's lists return the first text, so its adapter looks it up. */
  body: Untrusted,
  submittedAt: Instant,
  /** A force-push may re-point it, so it never proves an approval; where it contradicts, that is enough to doubt. */
  commit: HeadSha.nullable(),
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

export const Check = z.strictObject({
  name: z.string().min(1),
  /** Another reporter's check of the same name is another check. */
  source: z.string(),
  head: HeadSha,
  /** `passed` holds skipped and neutral too, as the forges count them. */
  state: z.enum(["pending", "passed", "failed"]),
  startedAt: Instant.nullable(),
});
export type Check = Data<typeof Check>;
