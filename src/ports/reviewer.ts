import type { RawFinding } from "#core/model/finding.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Coverage } from "#core/model/records.ts";
import type { Shape } from "#core/model/shape.ts";
import type { OfferTerms } from "#core/review/offer-terms.ts";
import type { BatchAnswer, Batches, BatchRequest } from "#ports/batches.ts";
import type { ChangeView } from "#ports/change-view.ts";
import type { ModelCall } from "#ports/model.ts";

export interface Reviewer {
  /**
   * Failures are outcomes; rejects only for a bug. It writes nothing and decides nothing. It may be called again for the
   * same job (a worker died): then it may answer differently and cost again.
   */
  review(job: ReviewJob): Promise<ReviewOutcome>;

  /** As configured first, then ever cheaper. Absent: it costs nothing. Makes no call outside. */
  offers?(job: ReviewJob): Promise<readonly ReviewOffer[]>;

  /** Absent if no provider accepts batches, or if the process would end before the batch. */
  readonly batched?: BatchedReviewer | undefined;
}

/** The review in steps, hours and processes apart. The caller keeps the answers and comes back with all of them. */
export interface BatchedReviewer {
  modelFor(job: ReviewJob): string | null;

  batchesOf(model: string | null): Batches | null;

  /** Only job and answers decide: the same answers lead to the same step. An answered request is not asked again. */
  next(job: ReviewJob, answers: readonly BatchAnswer[]): Promise<BatchedStep>;

  readonly shape: Shape;
}

export type BatchedStep =
  | { readonly kind: "ask"; readonly requests: readonly BatchRequest[] }
  | { readonly kind: "done"; readonly outcome: ReviewOutcome };

export interface ReviewOffer {
  /** For the reviewer that made the offer: they come back in the job. */
  readonly terms: OfferTerms;
  readonly delivery: "now" | "batch";
  /** Rather too high than too low; null if the price is unknown. */
  readonly costMicroUsd: number | null;
}

export interface ReviewJob extends ChangeView {
  readonly role: string;
  /** Whether the caller can wait; a batch is offered only then. */
  readonly mayWait?: boolean | undefined;
  readonly offer?: OfferTerms | undefined;
  readonly onCall?: ((call: ModelCall) => void) | undefined;
  /** Asked before each further part, with the estimated rest; null if unknown. False: the rest is `budget` in the coverage. */
  readonly mayGoOn?: ((restMicroUsd: number | null) => Promise<boolean>) | undefined;
  /** After it is aborted the outcome is ignored. */
  readonly signal: AbortSignal;
}

export type ReviewOutcome =
  | {
      readonly kind: "completed";
      /** On lines of the diff; a whole file is line 1 with an empty snippet. No order. Untrusted: they quote code. */
      readonly findings: readonly RawFinding[];
      /** Every file of the diff, as read or named as unread. */
      readonly coverage: Coverage;
      /** For people, without markup that acts. Says every limit that was reached. */
      readonly summary: string;
      /** Millionths of a dollar, 0 for a reviewer that costs nothing. */
      readonly costMicroUsd: number;
    }
  | { readonly kind: "unreadable"; readonly why: string; readonly costMicroUsd?: number | undefined }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      readonly costMicroUsd?: number | undefined;
    };
