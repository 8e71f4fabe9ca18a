import { type CapName, type Caps, capNames, isCapped } from "#core/budget/budgets.ts";
import { after, dayMs, type Instant, instant } from "#core/model/instant.ts";

/** What counts against a cap: what was spent, and what others who are at work have been promised. */
export interface CapUsage {
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

export interface OfferRequest {
  readonly caps: Caps;
  readonly standing: Readonly<Record<CapName, CapUsage>>;
  /** The cost of each offer, in the order of preference; null if unknown. At least one. */
  readonly costs: readonly (number | null)[];
  readonly now: Instant;
}

export type OfferChoice =
  /** `costMicroUsd` is what to set aside for it: 0 where the price is unknown and that is allowed. */
  { readonly kind: "taken"; readonly index: number; readonly costMicroUsd: number } | BudgetRefusal;

export type BudgetRefusal =
  /** The cap that leaves least, what it leaves, and what the cheapest offer would take, where anybody knows. */
  | {
      readonly kind: "refused";
      readonly why: "cap";
      readonly cap: CapName;
      readonly capMicroUsd: number;
      readonly leftMicroUsd: number;
      readonly wantedMicroUsd: number | null;
      /** When the cap begins anew; null for one that does not. */
      readonly overAt: Instant | null;
    }
  /** There is a cap, and the price of the models is unknown. */
  | { readonly kind: "refused"; readonly why: "unpriced" };

/** The first offer that no cap stands against. Where there is no cap, that is the first of all. */
export function chooseOffer(choosing: OfferRequest): OfferChoice {
  const { caps, costs } = choosing;
  if (!isCapped(caps)) return taken(0, costs[0] ?? 0);
  for (const [index, cost] of costs.entries()) {
    if (cost === null && !caps.allowsUnpriced) continue;
    if (tightestCap(choosing, cost) === null) return taken(index, cost ?? 0);
  }
  const priced = costs.filter((cost) => cost !== null);
  if (priced.length === 0 && !caps.allowsUnpriced) return { kind: "refused", why: "unpriced" };
  return refusedBy(choosing, priced.length === 0 ? null : Math.min(...priced));
}

/** Where a database is new, or lost, what it knows is less than what was spent. */
export function atLeast({ spentMicroUsd, reservedMicroUsd }: CapUsage, spentMin: number): CapUsage {
  return { spentMicroUsd: Math.max(spentMicroUsd, spentMin), reservedMicroUsd };
}

/**
 * Reservations that expired before that are deleted. Not at once: a worker whose clock is hours ahead may not count
 * them any more, but must not take them away from the others.
 */
export function sweptBefore(now: Instant): Instant {
  return after(now, -2 * dayMs);
}

/** When the UTC day began, and when it ends. */
export function dayOf(now: Instant): { readonly from: Instant; readonly until: Instant } {
  const from = instant(now - (now % dayMs));
  return { from, until: after(from, dayMs) };
}

function taken(index: number, costMicroUsd: number): OfferChoice {
  return { kind: "taken", index, costMicroUsd };
}

interface Tight {
  readonly cap: CapName;
  readonly left: number;
}

/** Offers with an unknown price are refused once a cap is used up. */
function tightestCap({ caps, standing }: OfferRequest, cost: number | null): Tight | null {
  let tightest: Tight | null = null;
  for (const cap of capNames) {
    const most = caps[cap];
    if (most === null) continue;
    const left = Math.max(0, most - standing[cap].spentMicroUsd - standing[cap].reservedMicroUsd);
    const isOver = cost === null ? left === 0 : cost > left;
    if (isOver && (tightest === null || left < tightest.left)) tightest = { cap, left };
  }
  return tightest;
}

function refusedBy(choosing: OfferRequest, cost: number | null): BudgetRefusal {
  const tightest = tightestCap(choosing, cost);
  if (tightest === null) throw new Error("an offer that fits was not taken");
  const { cap, left } = tightest;
  return {
    kind: "refused",
    why: "cap",
    cap,
    capMicroUsd: choosing.caps[cap] ?? 0,
    leftMicroUsd: left,
    wantedMicroUsd: cost,
    overAt: cap === "pull" ? null : dayOf(choosing.now).until,
  };
}
