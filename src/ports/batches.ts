import type { Shape } from "#core/model/data.ts";
import { type Instant, minuteMs } from "#core/model/instant.ts";
import type { ModelCall, ModelMessage, ModelPurpose } from "#ports/model.ts";

/**
 * A provider that answers many questions for half the price, within a day. A submission costs money and cannot be
 * withdrawn for certain, so nothing is submitted twice. Each submission has a token by which it is found again if its
 * response was lost.
 */
export interface Batches {
  /** Hands the requests over, once: it is never tried again from in here. Everything that goes wrong is an outcome. */
  submit(submission: BatchSubmission): Promise<Submitted>;

  /**
   * Looks for a submission whose outcome is unknown. It may show the past: an answer of `none` can be believed only a
   * while after the last moment at which the submission can have arrived.
   */
  find(wanted: BatchQuery, signal: AbortSignal): Promise<FoundBatch>;

  /** How far it is. Results are there once it has ended, in no order, and can be read again for weeks. */
  check(handle: BatchHandle, reading: BatchReading): Promise<BatchProgress>;

  /** Asks for its end. What was answered by then counts, and costs; twice is once. */
  cancel(handle: BatchHandle, signal: AbortSignal): Promise<BatchCancelled>;

  /** What the provider keeps of an ended batch is deleted, as far as it can be. It never rejects. */
  forget(handle: BatchHandle, signal: AbortSignal): Promise<void>;
}

/** Plain data, to be stored: another process goes on with it. */
export interface BatchHandle {
  /** The provider's own name for it. */
  readonly id: string;
  /** `anthropic/claude-…`: who was asked. A batch of another provider cannot be read. */
  readonly model: string;
}

export interface BatchSubmission {
  readonly token: BatchToken;
  /** Each id once. */
  readonly requests: readonly BatchRequest[];
  /** Nothing is sent after this time; a later search for the batch relies on that. */
  readonly until: Instant;
  readonly signal: AbortSignal;
}

/**
 * The submitter has given it up by then, so nothing arrives later, unless the process was suspended during the call.
 */
export const submitMsMax = 4 * minuteMs;

/** At most `tokenCharactersMax` letters and digits; no two submissions have the same one. */
export type BatchToken = string;
/** The ids stand beside the token in a name of at most 64 characters (Anthropic), with a mark in between. */
export const tokenCharactersMax = 32;
export const requestIdCharactersMax = 31;

export interface BatchRequest {
  /** At most `requestIdCharactersMax` letters, digits and `-`. */
  readonly id: string;
  readonly purpose: ModelPurpose;
  readonly messages: readonly ModelMessage[];
  readonly shape: Shape;
  readonly answerTokensMax: number;
}

export type Submitted =
  | { readonly kind: "submitted"; readonly handle: BatchHandle }
  /** It did not happen. `retryAt` is when it may; null if unknown, or if trying again will not help. */
  | { readonly kind: "refused"; readonly why: string; readonly isPassing: boolean; readonly retryAt: Instant | null }
  /** It may have happened. */
  | { readonly kind: "unknown"; readonly why: string };

export interface BatchQuery {
  readonly token: BatchToken;
  /** Between these it was submitted, if at all, on this machine's clock. */
  readonly since: Instant;
  readonly until: Instant;
  readonly requests: number;
}

export type FoundBatch =
  | { readonly kind: "found"; readonly handle: BatchHandle }
  | { readonly kind: "none" }
  /**
   * A running batch may be it, and cannot be told from others before it has ended; or the provider could not be
   * reached.
   */
  | { readonly kind: "cannot_tell"; readonly why: string };

export interface BatchReading {
  /** What every answer must be. */
  readonly shape: Shape;
  readonly signal: AbortSignal;
}

export type BatchProgress =
  | { readonly kind: "running" }
  /** Requests without a result are not in it: the provider has lost them, or never came to them. */
  | { readonly kind: "ended"; readonly how: BatchEnding; readonly answers: readonly BatchAnswer[] }
  /** The batch as a whole came to nothing: it was refused, or the provider does not know it. */
  | { readonly kind: "failed"; readonly why: string }
  /** The provider could not be reached. */
  | { readonly kind: "unavailable"; readonly why: string; readonly retryAt: Instant | null };

export type BatchEnding = "completed" | "expired" | "cancelled";

export type BatchAnswer = {
  readonly id: string;
  /** What the request cost, at the price of a batch. */
  readonly call: BatchCall;
} & (
  | {
      readonly kind: "answered";
      /** Read against the shape, and untrusted all the same. */
      readonly value: unknown;
      /** The model's own words, to be repeated to it. */
      readonly text: string;
    }
  | { readonly kind: "unreadable"; readonly why: string }
  /** The provider answered this one with an error, did not come to it in time, or was told not to. */
  | { readonly kind: "unanswered"; readonly why: "failed" | "expired" | "cancelled" }
);

/** The caller knows the purpose. */
export type BatchCall = Omit<ModelCall, "purpose">;

export type BatchCancelled =
  /** It ends, or has ended. */
  { readonly kind: "ends" } | { readonly kind: "unavailable"; readonly why: string };
