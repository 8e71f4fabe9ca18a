import type { Model } from "#ports/model.ts";

/** What the model reviewer is made of. */
export interface ReviewSettings {
  /** The model that plays a role. */
  readonly modelOf: (role: string) => Model;
  /** What a role looks for. A role that nobody described is a general one. */
  readonly briefOf: (role: string) => RoleBrief;
  readonly limits?: Partial<ReviewLimits> | undefined;
}

/** A role, in the words of the operator or of the base branch: never of the head. */
export interface RoleBrief {
  readonly instructions: string;
  /** Patterns in the manner of CODEOWNERS: the role looks at nothing else. Empty: at everything. */
  readonly paths: readonly string[];
  /** More to know about some of the paths; said where the change touches them. */
  readonly pathInstructions: readonly { readonly paths: readonly string[]; readonly instructions: string }[];
  /** Findings below are not wanted. The rules of the repository have the last word; this saves saying them. */
  readonly problemScore: number;
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
  turnMsMax: 600_000,
  findingsMax: 50,
};
