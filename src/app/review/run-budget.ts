import type { Caps } from "#core/budget/budgets.ts";
import { chooseOffer, type OfferChoice } from "#core/budget/choose-offer.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { instant } from "#core/model/instant.ts";
import { runRefusalWords } from "#core/words/budget-words.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";

/** What one run may spend, over all its roles, in millionths of a dollar. */
export function runBudget(capMicroUsd: number): { readonly hold: (reviewer: Reviewer) => Reviewer } {
  const account: Account = { capMicroUsd, spentMicroUsd: 0, held: new Map() };
  return {
    hold: (reviewer) => ({ ...reviewer, review: (job) => reviewWithin(account, reviewer, job) }),
  };
}

/** Roles look side by side: what is promised to one is not promised to another. */
interface Account {
  readonly capMicroUsd: number;
  spentMicroUsd: number;
  /** By the look for which it is set aside. */
  readonly held: Map<ReviewJob, number>;
}

async function reviewWithin(account: Account, reviewer: Reviewer, job: ReviewJob): Promise<ReviewOutcome> {
  const offers = (await reviewer.offers?.(job)) ?? [];
  if (offers.length === 0) return await reviewer.review(job);
  const costs = offers.map(({ costMicroUsd }) => costMicroUsd);
  const choice = choose(account, job, costs);
  if (choice.kind === "refused") return unread(job, runRefusalWords(choice));
  try {
    return await reviewer.review({
      ...job,
      offer: offers[choice.index]?.terms,
      onCall: (call) => {
        account.spentMicroUsd += call.costMicroUsd;
        account.held.set(job, Math.max(0, (account.held.get(job) ?? 0) - call.costMicroUsd));
        job.onCall?.(call);
      },
      mayGoOn: async (rest) => choose(account, job, [rest]).kind === "taken",
    });
  } finally {
    account.held.delete(job);
  }
}

/** Takes the first offer that fits, and sets its cost aside in the place of what was set aside for this look before. */
function choose(account: Account, job: ReviewJob, costs: readonly (number | null)[]): OfferChoice {
  account.held.delete(job);
  const { spentMicroUsd, capMicroUsd } = account;
  const reservedMicroUsd = [...account.held.values()].reduce((sum, one) => sum + one, 0);
  const standing = { spentMicroUsd, reservedMicroUsd };
  const caps: Caps = { pull: capMicroUsd, repositoryDay: null, day: null, allowsUnpriced: false };
  // A run has no days: nothing of it is over at midnight.
  const now = instant(0);
  const choice = chooseOffer({
    caps,
    costs,
    now,
    standing: { pull: standing, repositoryDay: standing, day: standing },
  });
  if (choice.kind === "taken") account.held.set(job, choice.costMicroUsd);
  return choice;
}

function unread({ diff }: ReviewJob, summary: string): ReviewOutcome {
  const parsed = parseDiff(diff);
  if (parsed.kind !== "diff") return { kind: "unreadable", why: parsed.reason };
  const unreadFiles = pathsOf(parsed.diff).map((path) => ({ path, why: "budget" as const }));
  return { kind: "completed", findings: [], coverage: { filesRead: 0, unread: unreadFiles }, summary, costMicroUsd: 0 };
}

function pathsOf({ files }: Diff): readonly string[] {
  return [...new Set(files.map(({ path }) => path))];
}
