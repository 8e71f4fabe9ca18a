import type { Caps } from "#core/budget/budgets.ts";
import type { OfferChoice } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import type { Instant } from "#core/model/instant.ts";

/** What models cost, and what may still be spent. Part of the store, and like it: every call is one transaction. */
export interface Spending {
  /**
   * Writes a call down, if it is not there already. What was set aside for the work becomes less by it in the same
   * moment, so that nothing counts twice.
   */
  saveSpend(spend: Spend): Promise<void>;

  /**
   * Takes the first offer that fits under all caps, and reserves its cost: several callers at once, anywhere on this
   * database, never reserve the same money. A second call for the same work decides again and replaces the reservation.
   * Expired reservations do not count.
   */
  reserve(request: ReserveRequest): Promise<OfferChoice>;

  /**
   * The work has ended: the rest of its reservation becomes free. A worker that may have lost the work names itself,
   * and frees nothing that another worker holds by now.
   */
  endReservation(reservation: { readonly work: string; readonly holder: string | null }): Promise<void>;

  /** What the calls of one piece of work have cost, as far as it is known. */
  findSpent(work: string): Promise<number>;

  /** Forgets calls that were made before then, the oldest and so many at most. Answers with their number. */
  forgetSpends(request: { readonly before: Instant; readonly countMax: number }): Promise<number>;
}

export interface ReserveRequest {
  readonly work: string;
  /** Who asks: another attempt at the same work has another name. */
  readonly holder: string;
  readonly place: Pick<Spend, "instance" | "pull"> & { readonly repository: Pick<Spend["repository"], "id"> };
  /** What the pull is known to have cost, by records that outlive this store: it counts at least that. */
  readonly pullSpentMin: number;
  readonly caps: Caps;
  /** In the order in which they are wanted. At least one. */
  readonly offers: readonly PricedOffer[];
  readonly now: Instant;
}

export interface PricedOffer {
  /** Null if unknown. */
  readonly costMicroUsd: number | null;
  /** After a crash the reservation expires at this time. */
  readonly until: Instant;
}
