import type { AccountId } from "#core/model/ids.ts";
import { hourMs, type Instant, instant } from "#core/model/instant.ts";

/** GitHub counts requests of REST and points of GraphQL apart. */
export type Resource = "core" | "graphql";

export interface Allowance {
  readonly resource: Resource;
  readonly limit: number;
  readonly used: number;
  readonly resetAt: Instant;
}

export interface Allowances {
  look(account: AccountId, resource: Resource, now: Instant): Allowance;
  spend(account: AccountId, resource: Resource, now: Instant, points: number): Allowance;
}

/** Per account and hour of the forge's clock: all tokens of an account, or of an installation, share one allowance. */
export function createAllowances(limitOf: (resource: Resource) => number): Allowances {
  const spent = new Map<string, { readonly hour: number; readonly used: number }>();
  const look = (account: AccountId, resource: Resource, now: Instant): Allowance => {
    const hour = Math.floor(now / hourMs);
    const known = spent.get(`${resource} ${account}`);
    const used = known?.hour === hour ? known.used : 0;
    return { resource, limit: limitOf(resource), used, resetAt: instant((hour + 1) * hourMs) };
  };
  return {
    look,
    spend(account, resource, now, points) {
      const { used } = look(account, resource, now);
      spent.set(`${resource} ${account}`, { hour: Math.floor(now / hourMs), used: used + points });
      return look(account, resource, now);
    },
  };
}
