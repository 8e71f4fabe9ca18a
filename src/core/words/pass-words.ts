import type { DiffProblem } from "#core/diff/diff-problem.ts";
import type { InjectionKind } from "#core/prompt/detect-injection.ts";
import type { OfferTerms } from "#core/review/offer-terms.ts";
import type { UnusablePatterns } from "#core/review/role-paths.ts";
import { counted } from "#core/words/counted.ts";
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
  unusablePatterns: ({ only, excluded }: UnusablePatterns): readonly string[] => [
    ...only.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, so this role looked at everything.`),
    ...excluded.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, so it excludes nothing.`),
  ],
  cancelled: "The review was cancelled.",
  diffUnreadable: ({ reason, offset }: Pick<DiffProblem, "reason" | "offset">): string =>
    `${reason} (byte ${offset} of the diff)`,
  fileUnreadable: (error: string): string => `A file of the repository could not be read: ${error}`,
  repositoryUnreadable: (error: string): string => `The repository could not be read: ${error}`,
  noModel: (name: string | null): string =>
    name === null ? "No model is configured." : `No model of the name ${codeSpan(name)} is configured.`,
  byBatch: "By batch: the model saw the diff alone, without looking across the repository.",
  /** Nothing for a review on the terms that are configured. */
  withinBudget: ({ isCheaper, isBatch, callsMax }: OfferTerms): readonly string[] => {
    const terms = [
      ...(isCheaper ? ["by the cheaper model"] : []),
      ...(isBatch ? ["in a batch at half the price"] : []),
      ...(callsMax === null ? [] : [`in ${counted(callsMax, "part", "parts")} at most`]),
    ];
    return terms.length === 0 ? [] : [`To stay within the budget this was done ${terms.join(", ")}.`];
  },
  noAnswer: (files: number): string => `Nothing came back about ${counted(files, "file", "files")}.`,
  unreadableAnswer: (files: number): string => `An answer about ${counted(files, "file", "files")} could not be read.`,
  unreadableTurn: {
    look: "What the model answered after looking across the repository could not be read, so only the diff was judged.",
    verify: "The model's second look at its findings could not be read, so they stand as first said.",
  },
  windowTooSmall: (files: number): string =>
    `The model's window seems to be smaller than what it was sent: ${counted(files, "file counts", "files count")} as unread. ` +
    "Whoever runs Drover can say how large it is (`contextTokens`).",
  budgetUsedUp: (files: number): string =>
    `The budget was used up before everything was read: ${counted(files, "file", "files")} left out.`,
  findingsCut: (findings: number): string =>
    `The limit was reached: ${counted(findings, "more finding", "more findings")} not shown.`,
  /** Of a finding. */
  noMessage: "The model gave no words.",
  ordersInCommits: "Messages of commits seem to give orders to a model, and were taken as data.",
  ordersSearchedInPart: "The change is too large to look for orders to a model in all of it.",
  ordersFound: (places: readonly string[], isCut: boolean): string =>
    `Text that seems to give orders to a model, and was taken as data: ${places.join(", ")}${isCut ? ", and more" : ""}.`,
  harmlessOrders: (places: number): string =>
    `A second look took ${counted(places, "place", "places")} of these for harmless.`,
  /** What to do after a refusal for lack of money. */
  askAgain: (handle: string): string => `comment ${codeSpan(`${handle} review`)} to have it tried again`,
} as const;

export const batchFailures = {
  notAccepted: "The configured model accepts no batches.",
  tooMany: "too many batches were requested",
  neverArrived: "it never arrived",
  arrivalUnknown: (why: string): string => `it is unknown whether it arrived: ${why}`,
  neverEnded: "the provider never ended it",
} as const;

const injectionSigns: Readonly<Record<InjectionKind, string>> = {
  override: "a call to ignore instructions",
  frame: "the markup of a prompt",
  speaker: "a line of another speaker",
  order: "an order about the review",
  address: "words to a machine",
  hidden: "text that people do not see",
  encoded: "encoded text",
};

/** About text that seems to give orders to a model, and where it is. */
export const injectionWords = {
  title: "the title",
  description: "the description",
  fileName: "the name of a file",
  line: (where: string, line: number): string => `${where} (line ${line})`,
  message:
    "This text reads like an order to a language model that looks at the code. It was taken as data here, but other tools " +
    "may follow it. Remove it, or say why it is needed.",
  signs: (kinds: readonly InjectionKind[]): string =>
    `It looks like ${kinds.map((kind) => injectionSigns[kind]).join(", ")}.`,
} as const;
