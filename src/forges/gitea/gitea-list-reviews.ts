import { z } from "zod";
import { limits } from "#core/model/limits.ts";
import { bodyOf, type Caller, callPages, callRaw, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import { pullPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { GiteaRemark, GiteaReview } from "#forges/gitea/gitea-schema.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Requests included. Of pending ones only the bot's own. */
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

/** In no order, with replies; there is no list over all reviews. A missing review went with its remarks since it was listed. */
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

/** Lines with remarks of people. Only the bot sees its own pending review. */
export function hasRemarks({ state, comments_count }: GiteaReview): boolean {
  return comments_count > 0 && state !== "PENDING";
}

/** Neither a request nor pending: then its text is in the timeline. */
export function isSubmitted({ state }: GiteaReview): boolean {
  return state === "APPROVED" || state === "REQUEST_CHANGES" || state === "COMMENT";
}
