import { type CapName, type Caps, capNames, isCapped } from "#core/budget/budgets.ts";
import { after, dayMs, type Instant, instant } from "#core/model/instant.ts";

export interface CapUsage {
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

export interface OfferRequest {
  readonly caps: Caps;
  readonly standing: Readonly<Record<CapName, CapUsage>>;
  /** In the order of preference; null if unknown. At least one. */
  readonly costs: readonly (number | null)[];
  readonly now: Instant;
}

export type OfferChoice =
  /** What to reserve: 0 where the price is unknown and that is allowed. */
  { readonly kind: "taken"; readonly index: number; readonly costMicroUsd: number } | BudgetRefusal;

export type BudgetRefusal =
  /** The cap that leaves least, what it leaves, and the cost of the cheapest offer if known. */
  | {
      readonly kind: "refused";
      readonly why: "cap";
      readonly cap: CapName;
      readonly capMicroUsd: number;
      readonly leftMicroUsd: number;
      readonly wantedMicroUsd: number | null;
      /** Null for a cap that does not begin anew. */
      readonly overAt: Instant | null;
    }
  | { readonly kind: "refused"; readonly why: "unpriced" };

/** Without a cap the first of all. */
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

/** A new or lost database knows less than what was spent. */
export function atLeast({ spentMicroUsd, reservedMicroUsd }: CapUsage, spentMin: number): CapUsage {
  return { spentMicroUsd: Math.max(spentMicroUsd, spentMin), reservedMicroUsd };
}

/** A worker whose clock is hours ahead must not delete the reservations of others. */
export function sweptBefore(now: Instant): Instant {
  return after(now, -2 * dayMs);
}

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
