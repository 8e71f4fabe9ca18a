import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { runRefusalWords } from "#core/words/budget-words.ts";
import { type BudgetAccount, openCommandAccounts } from "#jobs/budget-account.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { createMemorySpending } from "#store/memory-spending.ts";

export function runBudget(capMicroUsd: number): { readonly hold: (reviewer: Reviewer) => Reviewer } {
  const openAccount = openCommandAccounts(createMemorySpending().calls, capMicroUsd);
  return {
    hold: (reviewer) => ({ ...reviewer, review: (job) => reviewWithin(openAccount(), reviewer, job) }),
  };
}

async function reviewWithin(account: BudgetAccount, reviewer: Reviewer, job: ReviewJob): Promise<ReviewOutcome> {
  const offers = (await reviewer.offers?.(job)) ?? [];
  if (offers.length === 0) return await reviewer.review(job);
  const choice = await account.reserve(offers);
  if (choice.kind === "refused") return unread(job, runRefusalWords(choice));
  try {
    return await reviewer.review({
      ...job,
      offer: offers[choice.index]?.terms,
      onCall: (call) => {
        account.onCall(call);
        job.onCall?.(call);
      },
      mayGoOn: account.mayContinue,
    });
  } finally {
    await account.settle();
  }
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
