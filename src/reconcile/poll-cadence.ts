import { after, hourMs, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { RateLimitStatus } from "#ports/forge.ts";

/** How often the open pulls of a repository are looked over. */
export const cadence = {
  /** Where something has just happened, more is likely to. */
  msMin: 30 * secondMs,
  /** Webhooks tell most of it sooner; this is how late the rest may be. */
  msMax: 10 * minuteMs,
  /** Each look that found nothing puts the next one off by this much more. */
  growth: 1.5,
  /** With less than this part of the budget left, and less than there is of its hour, looks become rarer in proportion. */
  scarceShare: 0.5,
  /** Below this the rest is left to answers and reviews: the next look waits for a new budget. */
  lastShare: 0.1,
} as const;

export interface PollResult {
  /** How long the pause before this look was. */
  readonly everyMs: number;
  /** How many pulls something had happened on. */
  readonly poked: number;
  readonly budget: RateLimitStatus | null;
  readonly now: Instant;
  /** The longest acceptable pause between two polls, if it is shorter than ours. */
  readonly msMax: number;
}

/** When to look over the repository again, and how long a pause that is before the budget is considered. */
export function nextPoll({ everyMs, poked, budget, now, msMax }: PollResult): {
  readonly at: Instant;
  readonly everyMs: number;
} {
  const wanted = poked > 0 ? cadence.msMin : Math.round(everyMs * cadence.growth);
  const paceMs = Math.min(msMax, cadence.msMax, Math.max(cadence.msMin, wanted));
  return { at: affordable(after(now, paceMs), { paceMs, budget, now }), everyMs: paceMs };
}

function affordable(
  at: Instant,
  { paceMs, budget, now }: { readonly paceMs: number; readonly budget: RateLimitStatus | null; readonly now: Instant },
): Instant {
  if (budget === null || budget.limit <= 0 || budget.resetAt <= now) return at;
  const share = budget.left / budget.limit;
  if (share < cadence.lastShare) return budget.resetAt > at ? budget.resetAt : at;
  // The rest of the rate limit may be used up when its hour is nearly over.
  const fairShare = Math.min(cadence.scarceShare, (budget.resetAt - now) / hourMs);
  return share < fairShare ? after(now, Math.round((paceMs * fairShare) / share)) : at;
}
