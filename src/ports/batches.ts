import type { Shape } from "#core/model/data.ts";
import { type Instant, minuteMs } from "#core/model/instant.ts";
import type { ModelCall, ModelMessage, ModelPurpose } from "#ports/model.ts";

/** Half the price, within a day. Submissions cost and cannot be withdrawn: a token finds one with a lost response. */
export interface Batches {
  /** Sent once, never tried again here. Failures are outcomes. */
  submit(submission: BatchSubmission): Promise<Submitted>;

  /** May show the past: `none` can be believed only a while after the last moment at which the submission can have arrived. */
  find(wanted: BatchQuery, signal: AbortSignal): Promise<FoundBatch>;

  /** The results of an ended batch have no order and can be read again for weeks. */
  check(handle: BatchHandle, reading: { readonly shape: Shape; readonly signal: AbortSignal }): Promise<BatchProgress>;

  /** What was answered by then counts, and costs. Twice is once. */
  cancel(handle: BatchHandle, signal: AbortSignal): Promise<BatchCancelled>;

  /** Deletes what the provider keeps of an ended batch. Never rejects. */
  forget(handle: BatchHandle, signal: AbortSignal): Promise<void>;
}

/** Plain data, to be stored: another process goes on with it. */
export interface BatchHandle {
  readonly id: string;
  /** `anthropic/claude-…`: a batch of another provider cannot be read. */
  readonly model: string;
}

export interface BatchSubmission {
  readonly token: BatchToken;
  /** Each id once. */
  readonly requests: readonly BatchRequest[];
  /** Nothing is sent after this time; a later search relies on that. */
  readonly until: Instant;
  readonly signal: AbortSignal;
}

/** The submitter gives up then, so nothing arrives later, unless the process was suspended during the call. */
export const submitMsMax = 4 * minuteMs;

/** At most `tokenCharactersMax` letters and digits, unique per submission. */
export type BatchToken = string;
/** Token, mark and request id share a name of at most 64 characters (Anthropic). */
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
  /** It did not happen. `retryAt`: null if unknown, or if trying again will not help. */
  | { readonly kind: "refused"; readonly why: string; readonly isPassing: boolean; readonly retryAt: Instant | null }
  | { readonly kind: "unknown"; readonly why: string };

export interface BatchQuery {
  readonly token: BatchToken;
  /** It was submitted between these, if at all, on this machine's clock. */
  readonly since: Instant;
  readonly until: Instant;
  readonly requests: number;
}

export type FoundBatch =
  | { readonly kind: "found"; readonly handle: BatchHandle }
  | { readonly kind: "none" }
  /** A running batch may be it and shows only at its end; or the provider could not be reached. */
  | { readonly kind: "cannot_tell"; readonly why: string };

export type BatchProgress =
  | { readonly kind: "running" }
  /** Requests without a result are missing: the provider lost them or never came to them. */
  | { readonly kind: "ended"; readonly how: BatchEnding; readonly answers: readonly BatchAnswer[] }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "unavailable"; readonly why: string; readonly retryAt: Instant | null };

export type BatchEnding = "completed" | "expired" | "cancelled";

export type BatchAnswer = {
  readonly id: string;
  /** At the price of a batch. */
  readonly call: BatchCall;
} & (
  | {
      readonly kind: "answered";
      /** Read against the shape, and untrusted all the same. */
      readonly value: unknown;
      readonly text: string;
    }
  | { readonly kind: "unreadable"; readonly why: string }
  /** The provider failed, ran out of time, or was told to stop. */
  | { readonly kind: "unanswered"; readonly why: "failed" | "expired" | "cancelled" }
);

export type BatchCall = Omit<ModelCall, "purpose">;

export type BatchCancelled = { readonly kind: "ends" } | { readonly kind: "unavailable"; readonly why: string };
