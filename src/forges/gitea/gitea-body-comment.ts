import type { ReviewId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { type Caller, call } from "#forges/gitea/gitea-call.ts";
import { listReviews } from "#forges/gitea/gitea-list-reviews.ts";
import { whereOf } from "#forges/gitea/gitea-paths.ts";
import { reviewPath } from "#forges/gitea/gitea-pending-review.ts";
import { GiteaReview } from "#forges/gitea/gitea-schema.ts";
import { fetchTimeline, reviewEntries } from "#forges/gitea/gitea-timeline.ts";
import { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Up to 1.26 the review's own address holds it. */
export async function fetchGiteaBodyComment(
  caller: Caller,
  asked: { readonly pull: PullRef; readonly review: ReviewId; readonly name: string; readonly since: Instant },
): Promise<string> {
  const { pull, review, name, since } = asked;
  const seen = await call(caller, {
    where: whereOf(pull),
    name: "look up review",
    manner: "look",
    since,
    method: "GET",
    path: reviewPath(pull, review),
    shape: GiteaReview,
  });
  const comment = seen.html_url ?? (await findBodyComment(caller, { pull, review: seen, since }));
  if (comment !== undefined) return comment;
  throw new ForgeError("refused", `gitea ${whereOf(pull)}: ${name}: it has no text`, { isApplied: "no" });
}

/** From 1.27 on the address names the review itself, and only the timeline tells the comment. */
async function findBodyComment(
  caller: Caller,
  { pull, review, since }: { readonly pull: PullRef; readonly review: GiteaReview; readonly since: Instant },
): Promise<string | undefined> {
  const { items } = await listReviews(caller, pull, { manner: "look", since });
  const remarks = items.reduce((sum, { comments_count }) => sum + comments_count, 0);
  const timeline = await fetchTimeline({
    caller,
    pull,
    pageSize: null,
    remarks,
    awaited: { comments: [], reviews: [review.id] },
    isEnough: true,
    manner: "look",
    since,
  });
  return reviewEntries(timeline).get(review.id)?.id;
}
