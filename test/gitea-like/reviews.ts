import type { ReviewId } from "#core/model/ids.ts";
import { isPending, type ReviewState } from "#forges/sandbox/pull-state.ts";
import type { Remark } from "#gitea-like/rest/review-body.ts";
import type { PullSight } from "#gitea-like/sight.ts";

/**
 * The remarks of one review; replies belong to the review of the first remark. Their order means nothing: it is that of
 * a Go map, and here simply not the one in which they were made.
 */
export function remarksOf({ sight, state }: PullSight, review: ReviewId): readonly Remark[] {
  const { madeIn } = sight.extras;
  return state.threads
    .flatMap((thread) =>
      thread.comments
        .filter(({ id }) => (madeIn.get(id) ?? thread.review) === review)
        .map((comment) => ({ thread, comment })),
    )
    .reverse();
}

/**
 * A new verdict takes the earlier ones of the same person back, and they are told as dismissed; but one that comes with
 * remarks was a pending review first, and such a one leaves them alone.
 */
export function isSuperseded(pull: PullSight, review: ReviewState): boolean {
  if (!isVerdict(review)) return false;
  const { reviews } = pull.state;
  return reviews.some(
    (later) =>
      Number(later.id) > Number(review.id) &&
      later.author.id === review.author.id &&
      isVerdict(later) &&
      remarksOf(pull, later.id).length === 0,
  );
}

function isVerdict(review: ReviewState): boolean {
  return review.state.kind !== "pending" && review.state.event !== "comment";
}

/** What is pending is seen by its author alone, and by whoever administers the server. */
export function isShown({ sight }: PullSight, review: ReviewState): boolean {
  return !isPending(review) || review.author.id === sight.asker.id || sight.isSiteAdmin;
}
