import type { Model } from "#ports/model.ts";

/** What the model reviewer is made of. */
export interface ReviewSettings {
  /** One of the operator's models by its name, null for the first; null where there is none (any more). */
  readonly modelOf: (name: string | null) => Model | null;
  /** The name of the model that stands in for it where money is short; null where there is none. */
  readonly cheaperThan?: ((name: string | null) => string | null) | undefined;
  readonly limits?: Partial<ReviewLimits> | undefined;
}

/** What one review may send and say. Reaching a limit is told in the summary, and in the coverage where code is unread. */
export interface ReviewLimits {
  /** Of the diff's part in one conversation, estimated. */
  readonly callTokensMax: number;
  readonly callsMax: number;
  readonly rulesTokensMax: number;
  readonly aboutTokensMax: number;
  readonly answerTokensMax: number;
  readonly findToolCallsMax: number;
  readonly lookToolCallsMax: number;
  readonly verifyToolCallsMax: number;
  /** For the answer to one question, or the weighing of one argument. */
  readonly talkToolCallsMax: number;
  /** Of all that tools show in one conversation about a part of the change, estimated. */
  readonly lookedTokensMax: number;
  /** The same for the answer to one question. */
  readonly talkLookedTokensMax: number;
  readonly turnMsMax: number;
  /** Of one conversation. A model that has more to say is not to be trusted with the rest. */
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
