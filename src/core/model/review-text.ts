import type { Capabilities } from "#core/model/capabilities.ts";
import { CommentId, ReviewId } from "#core/model/ids.ts";

const prefix = "review:";

/** The text of a review is a remark like others. Reviews are numbered apart from comments on every forge, hence the prefix. */
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
