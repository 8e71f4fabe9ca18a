import type { Account } from "#core/model/account.ts";
import { hourMs, type Instant, instant } from "#core/model/instant.ts";
import type { World } from "#forges/sandbox/world.ts";
import type { RateLimitStatus } from "#ports/forge.ts";

export function takeCall(world: World, account: Account, at: Instant): { readonly waitMs: number } {
  const budget = budgetOf(world, account, at);
  if (budget === null) return { waitMs: 0 };
  if (budget.left === 0) return { waitMs: budget.resetAt - at };
  world.calls.set(account.id, { hour: hourOf(at), count: budget.limit - budget.left + 1 });
  return { waitMs: 0 };
}

export function budgetOf({ quirks, calls }: World, account: Account, at: Instant): RateLimitStatus | null {
  const limit = quirks.callsPerHourMax;
  if (limit === null) return null;
  const counted = calls.get(account.id);
  const count = counted?.hour === hourOf(at) ? counted.count : 0;
  return { limit, left: Math.max(0, limit - count), resetAt: instant((hourOf(at) + 1) * hourMs) };
}

function hourOf(at: Instant): number {
  return Math.floor(at / hourMs);
}
