import { codeSpan } from "#core/words/plain-text.ts";

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
  wholeChange: "(the whole change)",
  batchFailed: (why: string): string => `The batch had no result (${why}).`,
  /** Null: no batch was tried, though the role asks for it. */
  reviewedLive: (batchFailure: string | null): string =>
    `${batchFailure ?? "The role has `delivery: batch`, but no provider here accepts batches."} ` +
    "It was reviewed at once, at the full price.",
  askAgain: (handle: string): string => `comment ${codeSpan(`${handle} review`)} to have it tried again`,
} as const;

export const batchFailures = {
  notAccepted: "The configured model accepts no batches.",
  tooMany: "too many batches were requested",
  neverArrived: "it never arrived",
  arrivalUnknown: (why: string): string => `it is unknown whether it arrived: ${why}`,
  neverEnded: "the provider never ended it",
} as const;
