import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import { type GithubAccess, isCountedByOwner } from "#forges/github/github-access.ts";
import { readRate } from "#forges/github/github-headers.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";
import { ownerOf } from "#forges/owner-of.ts";
import type { RateLimitStatus } from "#ports/forge.ts";

export type GithubSpent = ForgeCallCost;

export interface RateLimits {
  hear(answer: TransportResponse, repository: string | null): void;
  find(repository: string | null): RateLimitStatus | null;
}

export function createRateLimits(access: GithubAccess): RateLimits {
  const heard = new Map<string, Map<string, RateLimitStatus>>();
  const payerOf = (repository: string | null): string =>
    repository === null || !isCountedByOwner(access) ? "" : ownerOf(repository);
  return {
    hear(answer, repository) {
      const rate = readRate(answer);
      if (rate === undefined || !counted.has(rate.resource)) return;
      const { resource, ...budget } = rate;
      const payer = payerOf(repository);
      if (heard.size >= githubLimits.installationsMax && !heard.has(payer)) heard.clear();
      heard.set(payer, (heard.get(payer) ?? new Map()).set(resource, budget));
    },
    find(repository) {
      const asked = repository === null ? [...heard.values()] : [heard.get(payerOf(repository)) ?? new Map()];
      return tightestOf(asked.flatMap((budgets) => [...budgets.values()]));
    },
  };
}

function tightestOf(budgets: readonly RateLimitStatus[]): RateLimitStatus | null {
  let tightest: RateLimitStatus | null = null;
  for (const budget of budgets) if (tightest === null || share(budget) < share(tightest)) tightest = budget;
  return tightest;
}

/** Others, such as searching, have tiny limits of their own that say nothing about the rest. */
const counted: ReadonlySet<string> = new Set(["core", "graphql"]);

function share({ left, limit }: RateLimitStatus): number {
  return limit === 0 ? 0 : left / limit;
}
