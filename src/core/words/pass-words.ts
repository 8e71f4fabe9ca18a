import type { UnusablePatterns } from "#core/review/role-paths.ts";
import { codeSpan } from "#core/words/plain-text.ts";

/** Why a review was not made, or not as configured. It stands in the summary of the review, or in the comment that it failed. */
export const passWords = {
  noReviewer: ({ name, reviewer }: { readonly name: string; readonly reviewer: string }): string =>
    `The role "${name}" is to be played by a reviewer of the kind "${reviewer}", and none is configured. ` +
    `Configure one, or set the role's reviewer to "rules".`,
  malformedFindings: "The reviewer's findings are not well formed.",
  /** The cause is in the log alone: an error may quote anything. */
  internalError: (who: string): string => `The ${who} failed with an internal error. See the log.`,
  tooLarge: (bytesMax: number): string => `The change has more than ${bytesMax} bytes and was not reviewed.`,
  unrelated: "The head and its base have no history in common, so there is no change to read.",
  commitsMissing: "Git does not have the commits that are to be compared.",
  gitFailed: (message: string): string => `Git could not tell the change: ${message}`,
  /** Stands for a file where none can be named. */
  wholeChange: "(the whole change)",
  batchFailed: (why: string): string => `The batch had no result (${why}).`,
  /** Null: no batch was tried, though the role asks for it. */
  reviewedLive: (batchFailure: string | null): string =>
    `${batchFailure ?? "The role has `delivery: batch`, but no provider here accepts batches."} ` +
    "It was reviewed at once, at the full price.",
  unusablePatterns: ({ only, excluded }: UnusablePatterns): readonly string[] => [
    ...only.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, so this role looked at everything.`),
    ...excluded.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, so it excludes nothing.`),
  ],
  /** What to do after a refusal for lack of money. */
  askAgain: (handle: string): string => `comment ${codeSpan(`${handle} review`)} to have it tried again`,
} as const;

/** Why a batch has no result. */
export const batchFailures = {
  notAccepted: "The configured model accepts no batches.",
  tooMany: "too many batches were requested",
  neverArrived: "it never arrived",
  arrivalUnknown: (why: string): string => `it is unknown whether it arrived: ${why}`,
  neverEnded: "the provider never ended it",
} as const;
