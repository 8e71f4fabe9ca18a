import { compareText } from "#core/compare-text.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { ReviewId } from "#core/model/ids.ts";
import type { PublishedReview } from "#core/model/records.ts";
import type { Verdict } from "#core/review/verdict.ts";
import type { VerdictInForce } from "#core/review/verdict-in-force.ts";

export interface RoleReview {
  readonly role: string;
  /** One that the forge or a person has dismissed is none. */
  readonly existing: PublishedReview | null;
  readonly wanted: { readonly verdict: Verdict; readonly digest: string } | null;
  /** Not a sibling's: once it is met, the request is history and stays as it is. */
  readonly asksItself?: boolean;
  /** It will not read this head by itself: waiting would be in vain, and the others may not approve either. */
  readonly isLeftOut?: boolean;
}

export interface ReviewsToUpdate {
  readonly roles: readonly RoleReview[];
  readonly capabilities: Pick<
    Capabilities,
    "mayEditReviewBodies" | "mayDismissReviews" | "mayJudgeOwnPull" | "mayApprove"
  >;
  readonly isOwnPull: boolean;
  readonly inForce: VerdictInForce;
  readonly hasUnsignedRequest?: boolean;
}

export type EventReason =
  | "judged"
  | "sibling_requests_changes"
  /** The account would approve a head of which a sibling could not read everything. */
  | "sibling_incomplete"
  /** An approval would lift the request of a job with another secret. */
  | "unsigned_request"
  | "own_pull"
  /** The account may not approve, so it could never take back a request: it judges nothing. */
  | "may_not_approve"
  /** The same, and a request for changes stands from earlier. */
  | "may_not_lift";

interface Submission {
  readonly role: string;
  readonly event: Verdict;
  readonly eventWhy: EventReason;
  readonly digest: string;
}

export type ReviewUpdate =
  | { readonly kind: "nothing"; readonly role: string; readonly why: "no_verdict" | "unchanged" }
  /** Approving now could be wrong a minute later, when the siblings in `siblings` have read the head. */
  | {
      readonly kind: "wait";
      readonly role: string;
      readonly why: "sibling_unfinished";
      readonly siblings: readonly string[];
    }
  | ({ readonly kind: "post"; readonly why: PostReason } & Submission)
  | ({ readonly kind: "edit"; readonly why: "other_body"; readonly review: ReviewId } & Submission)
  /** Dismiss, mark, post, in this order: the approval ends early, and planning again repairs a crash between them. */
  | ({
      readonly kind: "supersede_and_post";
      /** Replaced: the same verdict in other words, where words cannot be edited. */
      readonly why: "approval_withdrawn" | "approval_replaced";
      readonly old: { readonly review: ReviewId; readonly marksBody: boolean; readonly dismisses: boolean };
    } & Submission);

export type PostReason =
  | "first"
  | "after_comment"
  /** The request for changes stays as it is: the forge counts the later review. */
  | "request_lifted"
  /** A comment lifts no request for changes, and should not: the head was not read completely. */
  | "request_stays"
  /** What it asked for itself is met, and that request stays as it is; a sibling's is repeated. */
  | "request_met"
  /** The forge did not let an approval be dismissed that no longer counts. */
  | "approval_stays"
  | "body_not_editable"
  | "request_not_in_force";

/** The worst verdict wins before anything is posted, so an approval that has to be taken back never exists. */
export function planReviewUpdates(reviews: ReviewsToUpdate): readonly ReviewUpdate[] {
  const updates = reviews.roles.map((role) => planRole(role, reviews));
  return reviews.inForce === "approve" ? restoreRequest(updates, reviews) : updates;
}

function planRole(review: RoleReview, reviews: ReviewsToUpdate): ReviewUpdate {
  const { role, existing } = review;
  const submission = submissionOf(review, reviews);
  if (submission === null) return { kind: "nothing", role, why: "no_verdict" };
  if (existing?.verdict === submission.event && existing.digest === submission.digest) {
    return { kind: "nothing", role, why: "unchanged" };
  }
  const unfinished = siblingsOf(review, reviews).filter(({ wanted }) => wanted === null);
  if (submission.event === "approve" && unfinished.length > 0) return waitFor(role, unfinished);
  if (existing !== null && isOnlyKept(existing, submission)) {
    // A slower sibling's earlier request may be met: until it has said so, the request that stands will do.
    const slower = unfinished.filter(({ isLeftOut = false }) => !isLeftOut);
    if (slower.length > 0) return waitFor(role, slower);
    if (review.asksItself === true) return { kind: "post", why: "request_met", ...submission };
  }
  return existing === null
    ? { kind: "post", why: "first", ...submission }
    : replace(existing, submission, reviews.capabilities);
}

function waitFor(role: string, siblings: readonly RoleReview[]): ReviewUpdate {
  return { kind: "wait", role, why: "sibling_unfinished", siblings: siblings.map((sibling) => sibling.role) };
}

/** The role itself has nothing against the head, and goes on asking for changes for a sibling's sake. */
function isOnlyKept(existing: PublishedReview, { event, eventWhy }: Submission): boolean {
  return existing.verdict === event && eventWhy === "sibling_requests_changes";
}

function submissionOf(review: RoleReview, reviews: ReviewsToUpdate): Submission | null {
  const { role, wanted } = review;
  if (wanted === null) return null;
  const { verdict, digest } = wanted;
  if (reviews.isOwnPull && !reviews.capabilities.mayJudgeOwnPull) {
    return { role, event: "comment", eventWhy: "own_pull", digest };
  }
  const judged = { role, digest, ...judgedWith(review, verdict, reviews) };
  if (reviews.capabilities.mayApprove || judged.event === "comment" || stands(review, judged.event, reviews)) {
    return judged;
  }
  const isLeft = judged.event === "approve" && reviews.inForce === "request_changes";
  return { role, event: "comment", eventWhy: isLeft ? "may_not_lift" : "may_not_approve", digest };
}

function judgedWith(
  review: RoleReview,
  verdict: Verdict,
  reviews: ReviewsToUpdate,
): Pick<Submission, "event" | "eventWhy"> {
  const siblings = siblingsOf(review, reviews);
  if (verdict !== "request_changes" && siblings.some(requestsChanges)) {
    return { event: "request_changes", eventWhy: "sibling_requests_changes" };
  }
  if (verdict === "approve" && siblings.some(isIncomplete)) {
    return { event: "comment", eventWhy: "sibling_incomplete" };
  }
  // No request of our own: the job that signed the other one could not lift ours either, and both would wait for ever.
  if (verdict === "approve" && reviews.hasUnsignedRequest === true) {
    return { event: "comment", eventWhy: "unsigned_request" };
  }
  return { event: verdict, eventWhy: "judged" };
}

/** Nothing has to be submitted: an account that lost the right keeps what it has given. */
function stands({ existing }: RoleReview, event: Verdict, { capabilities }: ReviewsToUpdate): boolean {
  return existing?.verdict === event && capabilities.mayEditReviewBodies;
}

function siblingsOf({ role }: RoleReview, { roles }: ReviewsToUpdate): readonly RoleReview[] {
  return roles.filter((sibling) => sibling.role !== role);
}

function isIncomplete({ wanted, isLeftOut = false }: RoleReview): boolean {
  return isLeftOut || wanted?.verdict === "comment";
}

/** A request for an earlier head stands until its role has read this one. */
function requestsChanges({ existing, wanted }: RoleReview): boolean {
  return (wanted ?? existing)?.verdict === "request_changes";
}

function replace(
  existing: PublishedReview,
  submission: Submission,
  { mayEditReviewBodies, mayDismissReviews }: ReviewsToUpdate["capabilities"],
): ReviewUpdate {
  if (existing.verdict === submission.event) {
    if (mayEditReviewBodies) return { kind: "edit", why: "other_body", review: existing.review, ...submission };
    if (submission.event !== "approve" || !mayDismissReviews) {
      return { kind: "post", why: "body_not_editable", ...submission };
    }
    // Only the last approval of a role is found again: an earlier one would be in force when that is dismissed.
    const old = { review: existing.review, marksBody: false, dismisses: true };
    return { kind: "supersede_and_post", why: "approval_replaced", old, ...submission };
  }
  if (existing.verdict === "comment") return { kind: "post", why: "after_comment", ...submission };
  if (existing.verdict === "request_changes") {
    return { kind: "post", why: submission.event === "approve" ? "request_lifted" : "request_stays", ...submission };
  }
  // A later request outweighs an approval, a comment does not. Dismissing also marks an approval with a fixed body.
  const dismisses = mayDismissReviews && (submission.event === "comment" || !mayEditReviewBodies);
  const old = { review: existing.review, marksBody: mayEditReviewBodies, dismisses };
  return { kind: "supersede_and_post", why: "approval_withdrawn", old, ...submission };
}

/** A sibling's approval may have overtaken a published request, so it is posted anew. */
function restoreRequest(updates: readonly ReviewUpdate[], reviews: ReviewsToUpdate): readonly ReviewUpdate[] {
  const requests = reviews.roles
    .map((review) => submissionOf(review, reviews))
    .filter((submission) => submission !== null)
    .filter(({ event }) => event === "request_changes")
    .toSorted((left, right) => compareText(left.role, right.role));
  const request = requests[0];
  const isRestored = updates.some(
    (update) => (update.kind === "post" || update.kind === "supersede_and_post") && update.event === "request_changes",
  );
  if (request === undefined || isRestored) return updates;
  return updates.map((update) =>
    update.role === request.role ? { kind: "post", why: "request_not_in_force", ...request } : update,
  );
}
