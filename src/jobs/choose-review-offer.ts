import { z } from "zod";
import type { ReviewJobData } from "#core/model/job.ts";
import { OfferTerms } from "#core/review/offer-terms.ts";
import { budgetRefusalWords } from "#core/words/budget-words.ts";
import { passWords } from "#core/words/pass-words.ts";
import { type BudgetAccount, openBudgetAccount } from "#jobs/budget-account.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";

/** Versions before migration 0012 stored the terms as a text. */
export const ChosenBatch = z.strictObject({
  offer: z.union([OfferTerms, z.string().transform(readTermsText)]),
  costMicroUsd: z.number().int().nonnegative().nullable(),
});

const callsWord = "calls=";

const defaultName = "offer";

export type ReviewOfferChoice =
  | { readonly kind: "review"; readonly offer: OfferTerms | undefined; readonly delivery: "now" | "batch" }
  /** Names the cap, what is left, and what to do. */
  | { readonly kind: "refused"; readonly words: string };

interface Choosing {
  readonly reviewer: Reviewer;
  readonly job: ReviewJob;
  readonly account: BudgetAccount;
  readonly handle: string;
  /** Another name is used after the first choice failed. */
  readonly name?: string;
}

/** A chosen batch is kept for the job, since it is paid for, even if the reservation is gone. */
export async function chooseReviewOffer(
  context: JobContext,
  { reviewer, job, account, handle, name = defaultName }: Choosing,
): Promise<ReviewOfferChoice> {
  const step = { name, schema: ChosenBatch };
  const known = await findStep(context, step);
  if (known !== undefined) {
    await account.renewReservation({ costMicroUsd: known.costMicroUsd, delivery: "batch" });
    return { kind: "review", offer: known.offer, delivery: "batch" };
  }
  const offers = (await reviewer.offers?.(job)) ?? [];
  if (offers.length === 0) return { kind: "review", offer: undefined, delivery: "now" };
  const choice = await account.reserve(offers);
  if (choice.kind === "refused") {
    return { kind: "refused", words: budgetRefusalWords(choice, passWords.askAgain(handle)) };
  }
  const taken = offers[choice.index];
  if (taken === undefined) throw new Error("an offer was taken that was never made");
  const { costMicroUsd, delivery } = taken;
  if (delivery === "batch") await rememberStep(context, step, async () => ({ offer: taken.terms, costMicroUsd }));
  return { kind: "review", offer: taken.terms, delivery };
}

/** Also under caps that were set after the batch began. */
export async function renewReservation(context: JobContext, { pull, run }: ReviewJobData): Promise<void> {
  const known = await findStep(context, { name: defaultName, schema: ChosenBatch });
  if (known === undefined) return;
  const account = await openBudgetAccount(context, { pull, head: run.head, role: run.role });
  await account.renewReservation({ costMicroUsd: known.costMicroUsd, delivery: "batch" });
}

function readTermsText(text: string): OfferTerms {
  const words = text.split("+");
  const calls = Number(words.find((word) => word.startsWith(callsWord))?.slice(callsWord.length));
  return {
    isCheaper: words.includes("cheaper"),
    isBatch: words.includes("batch"),
    callsMax: Number.isInteger(calls) && calls > 0 ? calls : null,
  };
}
