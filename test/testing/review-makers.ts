import type { Reviewer, ReviewOutcome } from "#ports/reviewer.ts";

/** A reviewer that costs nothing and answers so, in every role. */
export function aReviewer(review: Reviewer["review"], over: Partial<Reviewer> = {}): Reviewer {
  return { review, ...over };
}

type CompletedReview = Extract<ReviewOutcome, { readonly kind: "completed" }>;

/** The outcome of a reviewer that read one file and found nothing. */
export function aCompletedReview(over: Partial<CompletedReview> = {}): CompletedReview {
  return {
    kind: "completed",
    findings: [],
    coverage: { filesRead: 1, unread: [] },
    summary: "",
    costMicroUsd: 0,
    ...over,
  };
}
