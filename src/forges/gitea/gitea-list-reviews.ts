import { z } from "zod";
import { limits } from "#core/model/limits.ts";
import { bodyOf, type Caller, callPages, callRaw, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import { pullPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { GiteaRemark, GiteaReview } from "#forges/gitea/gitea-schema.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** All reviews, and requests for them. Of those that were never submitted only the bot's own are told. */
export async function listReviews(
  caller: Caller,
  pull: PullRef,
  how: ReadingManner,
): Promise<{ readonly items: readonly GiteaReview[]; readonly isCut: boolean }> {
  return await callPages(caller, {
    ...how,
    where: whereOf(pull),
    name: "fetch reviews",
    method: "GET",
    path: `${pullPath(pull)}/reviews`,
    shape: GiteaReview,
    itemsMax: limits.reviewsMax,
  });
}

/**
 * The remarks of one review, in no order, with the replies to them; there is no list of those of all reviews. A review
 * that is not found went since it was listed, and they with it.
 */
export async function listRemarks(
  caller: Caller,
  { pull, review }: { readonly pull: PullRef; readonly review: string },
  how: ReadingManner,
): Promise<readonly GiteaRemark[]> {
  const asked = {
    ...how,
    where: whereOf(pull),
    name: "fetch remarks",
    method: "GET",
    path: `${pullPath(pull)}/reviews/${review}/comments`,
    shape: z.array(GiteaRemark).nullable(),
  } as const;
  const answer = await callRaw(caller, asked);
  return isStatus(answer, 404) ? [] : (bodyOf(asked, answer) ?? []);
}

/** Whether a person may have written on a line there. Only the bot sees its own pending review. */
export function hasRemarks({ state, comments_count }: GiteaReview): boolean {
  return comments_count > 0 && state !== "PENDING";
}

/** Whether it is more than a request, or a beginning: then its text is in the timeline. */
export function isSubmitted({ state }: GiteaReview): boolean {
  return state === "APPROVED" || state === "REQUEST_CHANGES" || state === "COMMENT";
}
