import type { Model } from "#ports/model.ts";

export interface ReviewSettings {
  /** Null as a name is the first model; null as the answer: there is none (any more). */
  readonly modelOf: (name: string | null) => Model | null;
  /** The stand-in where money is short; null where there is none. */
  readonly cheaperThan?: ((name: string | null) => string | null) | undefined;
  readonly limits?: Partial<ReviewLimits> | undefined;
}

/** Limits that are reached are in the summary, unread code in the coverage. */
export interface ReviewLimits {
  readonly callTokensMax: number;
  readonly callsMax: number;
  readonly rulesTokensMax: number;
  readonly aboutTokensMax: number;
  readonly answerTokensMax: number;
  readonly findToolCallsMax: number;
  readonly lookToolCallsMax: number;
  readonly verifyToolCallsMax: number;
  readonly talkToolCallsMax: number;
  readonly lookedTokensMax: number;
  readonly talkLookedTokensMax: number;
  readonly turnMsMax: number;
  /** Per conversation. A model that has more to say is not to be trusted with the rest. */
  readonly findingsMax: number;
}

export const defaultReviewLimits: ReviewLimits = {
  callTokensMax: 60_000,
  callsMax: 8,
  rulesTokensMax: 3_000,
  aboutTokensMax: 1_000,
  answerTokensMax: 16_000,
  findToolCallsMax: 4,
  lookToolCallsMax: 24,
  verifyToolCallsMax: 12,
  talkToolCallsMax: 12,
  // All the calls of a review with answers of the usual size; a few of the largest kind.
  lookedTokensMax: 40_000,
  // Twelve answers of the largest kind would cost many times what is set aside for all of it.
  talkLookedTokensMax: 24_000,
  turnMsMax: 600_000,
  findingsMax: 50,
};
