import type { BatchedReviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { type Replay, startReplay } from "#reviewers/model/replay.ts";
import { ReviewAnswer } from "#reviewers/model/review-answer.ts";
import type { ReviewSettings } from "#reviewers/model/review-settings.ts";

export interface BatchedReviewerOptions {
  readonly settings: ReviewSettings;
  readonly modelFor: (job: ReviewJob) => string | null;
  readonly review: (job: ReviewJob, replay: Replay) => Promise<ReviewOutcome>;
}

/** Replays the live review with the answers so far: what it would ask next is what the batch asks. */
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
