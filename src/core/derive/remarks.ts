import type { BotMessage } from "#core/commands/command.ts";
import { type Comment, type Review, type Thread, writtenAt } from "#core/model/conversation.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { reviewTextId } from "#core/model/review-text.ts";

export interface Remark {
  readonly comment: Comment;
  readonly thread: Thread | null;
  readonly review: Review | null;
}

export interface Spoken {
  readonly remark: Remark;
  readonly address: BotMessage;
}

export function remarksOf(seen: Observation): readonly Remark[] {
  const remarks: Remark[] = seen.comments.map((comment) => ({ comment, thread: null, review: null }));
  for (const thread of seen.threads)
    for (const comment of thread.comments) remarks.push({ comment, thread, review: null });
  for (const review of seen.reviews)
    if (isSaid(review)) remarks.push({ comment: reviewAsComment(review), thread: null, review });
  return remarks.sort((left, right) => writtenAt(left.comment) - writtenAt(right.comment));
}

/** Forges do not tell when a review was edited. A comment may be edited within its first second. */
export function isSaidAsBefore({ remark, address }: Spoken, at: Instant): boolean {
  return remark.review === null ? address.hasHandle && writtenAt(remark.comment) === at : address.namesCommand;
}

/** A pending review is a draft that only its author sees. */
function isSaid(review: Review): boolean {
  return review.state !== "pending" && review.body !== "";
}

export function reviewAsComment(review: Review): Comment {
  return {
    id: reviewTextId(review.id),
    author: review.author,
    body: review.body,
    createdAt: review.submittedAt,
    editedAt: null,
    ...(review.isCut === true ? { isCut: true } : {}),
  };
}
