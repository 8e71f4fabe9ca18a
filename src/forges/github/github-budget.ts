import type { ForgeSpent } from "#forges/forge-spent.ts";
import { readRate } from "#forges/github/github-headers.ts";
import type { Answered } from "#forges/github/github-transport.ts";
import type { ForgeBudget } from "#ports/forge.ts";

/** What one answer cost. */
export type GithubSpent = ForgeSpent;

export interface Budgets {
  hear(answer: Answered): void;
  /** The tighter of those that were heard of. */
  find(): ForgeBudget | null;
}

export function createBudgets(): Budgets {
  const heard = new Map<string, ForgeBudget>();
  return {
    hear(answer) {
      const rate = readRate(answer);
      if (rate === undefined || !counted.has(rate.resource)) return;
      const { resource, ...budget } = rate;
      heard.set(resource, budget);
    },
    find() {
      let tightest: ForgeBudget | null = null;
      for (const budget of heard.values()) {
        if (tightest === null || share(budget) < share(tightest)) tightest = budget;
      }
      return tightest;
    },
  };
}

/** Others, such as searching, have tiny limits of their own that say nothing about the rest. */
const counted: ReadonlySet<string> = new Set(["core", "graphql"]);

function share({ left, limit }: ForgeBudget): number {
  return limit === 0 ? 0 : left / limit;
}
