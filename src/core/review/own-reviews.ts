import { blankedText } from "#core/effects/effect-mark.ts";
import type { Review } from "#core/model/conversation.ts";
import type { ReviewId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { PublishedReview } from "#core/model/records.ts";
import { approvalsInForce, judgingReviews } from "#core/review/verdict-in-force.ts";
import { readSentinel } from "#core/words/sentinel.ts";

export function lastPublished(seen: Observation, role: string): PublishedReview | undefined {
  return seen.records.published.findLast((one) => one.role === role);
}

/** Unless dismissed, and as shown: a worker that was suspended past its lease may have overwritten a newer text. */
export function liveReview(seen: Observation, role: string): PublishedReview | null {
  const published = lastPublished(seen, role);
  if (published === undefined || isDismissed(seen, published)) return null;
  if (!seen.capabilities.mayEditReviewBodies) return published;
  const sentinel = readSentinel(seen.reviews.find(({ id }) => id === published.review)?.body ?? "");
  return sentinel?.kind === "review" && sentinel.role === role ? { ...published, digest: sentinel.digest } : published;
}

/** Drover itself dismisses approvals only. */
export function isRequestDismissed(seen: Observation, role: string): boolean {
  const published = lastPublished(seen, role);
  return published?.verdict === "request_changes" && isDismissed(seen, published);
}

function isDismissed({ reviews }: Observation, { review }: PublishedReview): boolean {
  return reviews.some(({ id, state }) => id === review && state === "dismissed");
}

/** A forge that lags does not list what was just posted: posting against an older verdict would repeat the review. */
export function areShown({ records, reviews }: Observation): boolean {
  return records.published.every(({ review }) => reviews.some(({ id }) => id === review));
}

export interface StandingApproval {
  readonly role: string;
  readonly review: ReviewId;
}

/**
 * Those that Drover recorded, and those of a role that it plays, with any signature. Other roles are left to their job,
 * or two jobs would dismiss each other's approvals without end. One without a mark was given by a person with the same
 * account. A blanked one has no role any more, and the forge counts it all the same.
 */
export function standingApprovals(seen: Observation): readonly StandingApproval[] {
  const { records, rules, reviews, bot } = seen;
  const shown = approvalsInForce({ reviews, account: bot.id }).flatMap((review): readonly StandingApproval[] => {
    const recorded = records.published.find((one) => one.review === review.id)?.role;
    const role = recorded ?? rules.reviews.roles.find(({ name }) => isBlanked(review) || name === roleOf(review))?.name;
    return role === undefined ? [] : [{ role, review: review.id }];
  });
  const hidden = records.published.filter(
    ({ review, verdict }) => verdict === "approve" && !reviews.some(({ id }) => id === review),
  );
  return [...shown, ...hidden.map(({ role, review }) => ({ role, review }))].filter(
    (approval) => !isOutspoken(seen, approval),
  );
}

/** The forge refused its dismissal, and a later review of its role says that it no longer counts. */
function isOutspoken(seen: Observation, { role, review }: StandingApproval): boolean {
  const live = liveReview(seen, role);
  return live !== null && live.review !== review && live.verdict === "comment";
}

/** A sibling role with another secret asked for changes. It counts, and this job may not lift it. */
export function hasUnsignedRequest(seen: Observation): boolean {
  const { reviews, bot, records, signedReviews } = seen;
  const signed = new Set([...signedReviews, ...records.published.map(({ review }) => review)]);
  const last = new Map<string, Review>();
  for (const review of judgingReviews({ reviews, account: bot.id })) {
    const role = roleOf(review);
    if (role !== undefined) last.set(role, review);
  }
  return [...last.values()].some(({ id, state }) => state === "changes_requested" && !signed.has(id));
}

function isBlanked({ body }: Review): boolean {
  return body.split("\n", 1)[0] === blankedText.split("\n", 1)[0];
}

function roleOf({ body }: Review): string | undefined {
  const sentinel = readSentinel(body);
  return sentinel?.kind === "review" ? sentinel.role : undefined;
}
