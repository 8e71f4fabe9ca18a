import type { Shape } from "#core/model/data.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Coverage } from "#core/model/records.ts";
import type { OfferTerms } from "#core/review/offer-terms.ts";
import type { BatchAnswer, Batches, BatchRequest } from "#ports/batches.ts";
import type { ChangeView } from "#ports/change-view.ts";
import type { ModelCall } from "#ports/model.ts";

/** Reviews one head in one role: rules, a model or an agent. */
export interface Reviewer {
  /**
   * Looks at the head of the job, once. Everything that can go wrong with the head, the diff or the reviewer is an
   * outcome; it rejects only for a bug. It writes nothing anywhere, and nothing that it answers decides anything: the
   * findings become facts of the next observation.
   *
   * Calling it again for the same job is allowed at any time (a worker died). A deterministic reviewer answers the same;
   * any other may answer differently, and may cost again.
   */
  review(job: ReviewJob): Promise<ReviewOutcome>;

  /**
   * The ways to review this head, with prices: as the role is configured first, then ever cheaper. Absent for a
   * reviewer that costs nothing. It makes no call outside.
   */
  offers?(job: ReviewJob): Promise<readonly ReviewOffer[]>;

  /** Absent if no provider accepts batches, or if the process would end before the batch. */
  readonly batched?: BatchedReviewer | undefined;
}

/**
 * The same review in steps, between which hours may pass and processes may die. The caller that submits the requests
 * keeps the answers and comes back with all of them.
 */
export interface BatchedReviewer {
  /** The operator's name of the model that this look is asked of; null for the first one. */
  modelFor(job: ReviewJob): string | null;

  /** The batch client for the model of this name; null if there is none. */
  batchesOf(model: string | null): Batches | null;

  /**
   * What is still to be asked, or the outcome. Nothing but the job and the answers decides: the same answers lead to the
   * same step, however often it is asked. A request that is among the answers is not asked again.
   */
  next(job: ReviewJob, answers: readonly BatchAnswer[]): Promise<BatchedStep>;

  /** What all answers must be. */
  readonly shape: Shape;
}

export type BatchedStep =
  | { readonly kind: "ask"; readonly requests: readonly BatchRequest[] }
  | { readonly kind: "done"; readonly outcome: ReviewOutcome };

/** One way to have a head looked at. */
export interface ReviewOffer {
  /** For the reviewer that made the offer: they are handed back in the job. */
  readonly terms: OfferTerms;
  readonly delivery: "now" | "batch";
  /** The estimated cost, rather too high than too low; null if the price is unknown. */
  readonly costMicroUsd: number | null;
}

export interface ReviewJob extends ChangeView {
  /** The role whose findings these will be. */
  readonly role: string;
  /** Whether the caller can wait for a batch; a batch is offered only then. */
  readonly mayWait?: boolean | undefined;
  /** The terms of the offer that was taken; absent: as the role is configured. */
  readonly offer?: OfferTerms | undefined;
  /** Told of each request to a model as soon as it has ended. It must not throw. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
  /**
   * Asked before each further part of the change, with the estimated cost of the rest; null if unknown. False: the rest
   * stays unread, and is in the coverage as `budget`. Absent: there is no budget.
   */
  readonly mayGoOn?: ((restMicroUsd: number | null) => Promise<boolean>) | undefined;
  /** After it is aborted the outcome is ignored; the reviewer answers soon, with any outcome. */
  readonly signal: AbortSignal;
}

export type ReviewOutcome =
  | {
      readonly kind: "completed";
      /**
       * Of the job's role alone, on lines of its diff; a remark on a whole file has line 1 and an empty snippet. Their
       * order means nothing. The texts are untrusted: they quote code.
       */
      readonly findings: readonly RawFinding[];
      /** Every file of the diff is counted as read or named as unread. What is not here was not looked at. */
      readonly coverage: Coverage;
      /** For people, without markup that acts. Every limit that was reached is said here. */
      readonly summary: string;
      /** Millionths of a dollar, 0 for a reviewer that costs nothing. */
      readonly costMicroUsd: number;
    }
  /** The diff, or the reviewer's own answer, cannot be understood. Trying again will not help. */
  | { readonly kind: "unreadable"; readonly why: string; readonly costMicroUsd?: number | undefined }
  /** The world failed. `retryAt` is when it said that it can be asked again; null where it said nothing. */
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly retryAt: Instant | null;
      /** What was spent all the same; absent where nothing was. */
      readonly costMicroUsd?: number | undefined;
    };
