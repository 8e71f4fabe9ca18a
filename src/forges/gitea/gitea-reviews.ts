import { ReviewId } from "#core/model/ids.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { fetchGiteaBodyComment } from "#forges/gitea/gitea-body-comment.ts";
import { type Caller, call, callRaw, errorOf } from "#forges/gitea/gitea-call.ts";
import { editGiteaComment } from "#forges/gitea/gitea-comments.ts";
import { pullPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { discardPending, type GiteaReviewContext, reviewPath } from "#forges/gitea/gitea-pending-review.ts";
import { GiteaReview } from "#forges/gitea/gitea-schema.ts";
import { submitReview } from "#forges/gitea/gitea-submit-review.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";

type ReviewWrites = Pick<
  Forge,
  "submitReview" | "editReview" | "dismissReview" | "discardPendingReview" | "requestReviews"
>;

export function reviewWrites(parts: GiteaReviewContext): ReviewWrites {
  const { caller } = parts;
  return {
    submitReview: async (submission) => ReviewId.parse(await submitReview(parts, submission)),
    editReview: (request) => editReview(caller, request),
    dismissReview: (request) => dismissReview(caller, request),
    discardPendingReview: (request) => discardPending(parts, request, { manner: "look", since: caller.clock.now() }),
    requestReviews: (request) => requestReviews(caller, request),
  };
}

/** Gitea calls a request without the right invalid, as others: only the words tell. */
async function requestReviews(
  caller: Caller,
  { pull, reviewers }: Parameters<Forge["requestReviews"]>[0],
): Promise<void> {
  const asked = {
    where: whereOf(pull),
    name: "request reviews",
    manner: "write",
    method: "POST",
    path: `${pullPath(pull)}/requested_reviewers`,
    body: { reviewers: reviewers.map(({ login }) => login) },
  } as const;
  const answer = await callRaw(caller, asked);
  if (isSuccess(answer)) return;
  const error = errorOf(asked, answer);
  if (error.kind !== "refused" || !/can't choose reviewer/i.test(error.message)) throw error;
  throw new ForgeError("forbidden", error.message, { isApplied: "no" });
}

/** There is no call for it: the text is a comment. */
async function editReview(caller: Caller, { pull, review, body }: Parameters<Forge["editReview"]>[0]): Promise<void> {
  const since = caller.clock.now();
  const name = "edit review";
  const comment = await fetchGiteaBodyComment(caller, { pull, review, name, since });
  await editGiteaComment(caller, { pull, name, comment, body, since });
}

/** If refused, perhaps nothing is left to dismiss. */
async function dismissReview(
  caller: Caller,
  { pull, review, words }: Parameters<Forge["dismissReview"]>[0],
): Promise<void> {
  const since = caller.clock.now();
  const path = reviewPath(pull, review);
  const asked = {
    where: whereOf(pull),
    name: "dismiss review",
    manner: "write",
    since,
    method: "POST",
    path: `${path}/dismissals`,
    body: { message: words },
  } as const;
  const answer = await callRaw(caller, asked);
  if (isSuccess(answer)) return;
  const error = errorOf(asked, answer);
  if (error.kind !== "refused" && error.kind !== "forbidden") throw error;
  const look = { where: asked.where, name: "look up review", manner: "look", since, method: "GET", path } as const;
  const known = await call(caller, { ...look, shape: GiteaReview });
  if (!known.dismissed) throw error;
}
