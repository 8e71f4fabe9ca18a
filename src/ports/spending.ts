import type { Caps } from "#core/budget/budgets.ts";
import type { OfferChoice } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import type { Instant } from "#core/model/instant.ts";

/** Like the store: every call is one transaction. */
export interface Spending {
  /** Twice is once. In the same moment the work's reservation shrinks by it, so nothing counts twice. */
  saveSpend(spend: Spend): Promise<void>;

  /**
   * Reserves the first offer under all caps; callers anywhere on this database never reserve the same money. A second call
   * for the same work replaces it. Expired reservations do not count.
   */
  reserve(request: ReserveRequest): Promise<OfferChoice>;

  /** Frees the rest. A worker that may have lost the work names itself, and frees nothing that another holds. */
  endReservation(reservation: { readonly work: string; readonly holder: string | null }): Promise<void>;

  findSpent(work: string): Promise<number>;

  /** The oldest, up to a limit. Answers with their number. */
  forgetSpends(request: { readonly before: Instant; readonly countMax: number }): Promise<number>;
}

export interface ReserveRequest {
  readonly work: string;
  /** Another attempt at the same work has another name. */
  readonly holder: string;
  readonly place: Pick<Spend, "instance" | "pull"> & { readonly repository: Pick<Spend["repository"], "id"> };
  /** Known from records that outlive this store: the pull counts at least that. */
  readonly pullSpentMin: number;
  readonly caps: Caps;
  /** In the order in which they are wanted. At least one. */
  readonly offers: readonly PricedOffer[];
  readonly now: Instant;
}

export interface PricedOffer {
  readonly costMicroUsd: number | null;
  /** After a crash the reservation expires at this time. */
  readonly until: Instant;
}
