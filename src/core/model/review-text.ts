import type { Capabilities } from "#core/model/capabilities.ts";
import { CommentId, ReviewId } from "#core/model/ids.ts";

const prefix = "review:";

/** Every forge numbers reviews apart from comments, hence the prefix. */
export function reviewTextId(review: ReviewId): CommentId {
  return CommentId.parse(prefix + review);
}

/** Undefined for a comment that is not the text of a review. */
export function reviewOfText(comment: CommentId): ReviewId | undefined {
  return comment.startsWith(prefix) ? ReviewId.parse(comment.slice(prefix.length)) : undefined;
}

export function mayReactTo(comment: CommentId, { mayReactToReviews }: Capabilities): boolean {
  return mayReactToReviews || reviewOfText(comment) === undefined;
}
