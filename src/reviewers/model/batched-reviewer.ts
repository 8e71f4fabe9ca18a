import type { BatchedReviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { type Replay, startReplay } from "#reviewers/model/replay.ts";
import { ReviewAnswer } from "#reviewers/model/review-answer.ts";
import type { ReviewSettings } from "#reviewers/model/review-settings.ts";

export interface BatchedReviewerOptions {
  readonly settings: ReviewSettings;
  /** The operator's name of the model that a job is asked of. */
  readonly modelFor: (job: ReviewJob) => string | null;
  /** The live review, with a replay in the place of its model. */
  readonly review: (job: ReviewJob, replay: Replay) => Promise<ReviewOutcome>;
}

/**
 * The live review in steps: it is gone through with the answers that are there, and what it would ask next is what the
 * batch asks. First all that finds; then, for those parts of the change in which something was found, what verifies.
 */
export function batchedReviewer({ settings, modelFor, review }: BatchedReviewerOptions): BatchedReviewer {
  return {
    shape: ReviewAnswer,
    modelFor,
    batchesOf: (model) => settings.modelOf(model)?.batches ?? null,
    next: async (job, answers) => {
      const replay = startReplay(answers);
      const outcome = await review(job, replay);
      return replay.unasked.length > 0 ? { kind: "ask", requests: replay.unasked } : { kind: "done", outcome };
    },
  };
}
