import type { Account } from "#core/model/account.ts";
import type { Review } from "#core/model/conversation.ts";
import { ReviewId } from "#core/model/ids.ts";
import { readUser } from "#forges/gitea/gitea-map.ts";
import type { GiteaPull, GiteaReview } from "#forges/gitea/gitea-schema.ts";
import { readReplyMark } from "#forges/gitea/gitea-threads.ts";
import { dismissedReviews, reviewEntries, type Timeline } from "#forges/gitea/gitea-timeline.ts";

/** The list has original texts, the timeline those of now and the times of submission. A mere reply is no review. */
export function readReviews(
  reviews: readonly GiteaReview[],
  { timeline, pull, bot }: { readonly timeline: Timeline; readonly pull: GiteaPull; readonly bot: Account },
): readonly Review[] {
  const entries = reviewEntries(timeline);
  const dismissed = dismissedReviews(timeline);
  const standing = reviews.filter(({ id, state }) => verdicts.has(state) && !dismissed.has(id));
  const found: Review[] = [];
  for (const review of reviews) {
    const state = states.get(review.state);
    if (state === undefined || isReply(review, bot) || isForeignPending(review, bot)) continue;
    const isOut = review.dismissed && (dismissed.has(review.id) || !isSuperseded(review, standing));
    const entry = entries.get(review.id);
    found.push({
      id: ReviewId.parse(review.id),
      author: readUser(review.user),
      state: isOut ? "dismissed" : state,
      body: entry?.body ?? review.body,
      submittedAt: entry?.created_at ?? review.submitted_at ?? pull.created_at,
      commit: review.commit_id,
    });
  }
  return found;
}

/** What is none of these is no review, such as a request for one. */
const states: ReadonlyMap<string, Review["state"]> = new Map([
  ["APPROVED", "approved"],
  ["REQUEST_CHANGES", "changes_requested"],
  ["COMMENT", "commented"],
  ["PENDING", "pending"],
]);

const verdicts: ReadonlySet<string> = new Set(["APPROVED", "REQUEST_CHANGES"]);

function isReply({ user, state, body }: GiteaReview, bot: Account): boolean {
  return user?.id === bot.id && state === "COMMENT" && readReplyMark(body) !== undefined;
}

/** An admin of the server sees what others have begun: it has not been said. */
function isForeignPending({ user, state }: GiteaReview, bot: Account): boolean {
  return state === "PENDING" && user?.id !== bot.id;
}

/** A new verdict marks the person's earlier ones as dismissed, for good. Nobody dismissed those: the timeline lacks it. */
function isSuperseded({ id, user }: GiteaReview, standing: readonly GiteaReview[]): boolean {
  return standing.some((later) => Number(later.id) > Number(id) && later.user?.id === user?.id);
}
