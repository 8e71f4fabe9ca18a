import type { RawFinding } from "#core/model/finding.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";

/** A reviewer that answers so in every role; without offers it costs nothing. */
export function aReviewer(
  review: (job: ReviewJob) => ReviewOutcome | Promise<ReviewOutcome>,
  over: Partial<Reviewer> = {},
): Reviewer {
  return { review: async (job) => await review(job), ...over };
}

/** The reviewers of a worker that has this one alone, for roles with a model. */
export function onlyModel(model: Reviewer): Dependencies["reviewers"] {
  return { rules: null, model, agent: null };
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

export function aFailedReview(why = "the provider is down"): ReviewOutcome {
  return { kind: "failed", why, retryAt: null };
}

/** What a reviewer says of the first line of `src/app.js`. */
export function aRawFinding(over: Partial<RawFinding> = {}): RawFinding {
  return {
    role: "general",
    rule: "unsafe",
    path: "src/app.js",
    side: "new",
    lines: { first: 1, last: 1 },
    snippet: "run();",
    message: "Do not run.",
    assessment: "",
    score: 8,
    suggestion: null,
    ...over,
  };
}

/** Says that something is wrong wherever a line holds `unsafe`. */
export function unsafeFinder(costMicroUsd = 0): Reviewer {
  return aReviewer(({ diff, role }) => {
    const isUnsafe = new TextDecoder().decode(diff).includes("unsafe");
    const finding = aRawFinding({
      role,
      path: "src/lexer.ts",
      snippet: "unsafe",
      message: "This is unsafe.",
      score: 9,
    });
    return aCompletedReview({ findings: isUnsafe ? [finding] : [], summary: "Looked.", costMicroUsd });
  });
}
