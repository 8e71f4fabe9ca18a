import { atLeast, type CapUsage, chooseOffer, dayOf, sweptBefore } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PricedOffer, ReserveRequest, Spending } from "#ports/spending.ts";

interface Reservation extends Pick<ReserveRequest, "place" | "holder">, Pick<PricedOffer, "until"> {
  readonly leftMicroUsd: number;
}

type Place = ReserveRequest["place"];

export function createMemorySpending(): { readonly calls: Spending; lose(): void } {
  const spends = new Map<string, Spend>();
  const reservations = new Map<string, Reservation>();
  const draw = ({ work, costMicroUsd }: Spend): void => {
    const held = reservations.get(work);
    if (held === undefined) return;
    reservations.set(work, { ...held, leftMicroUsd: Math.max(0, held.leftMicroUsd - costMicroUsd) });
  };
  const standingAt =
    (now: Instant) =>
    (isSpent: (spend: Spend) => boolean, isHeld: (place: Place) => boolean): CapUsage => ({
      spentMicroUsd: sum([...spends.values()].filter(isSpent).map(({ costMicroUsd }) => costMicroUsd)),
      reservedMicroUsd: sum(
        [...reservations.values()]
          .filter(({ place, until }) => until > now && isHeld(place))
          .map(({ leftMicroUsd }) => leftMicroUsd),
      ),
    });
  return {
    calls: {
      saveSpend: async (spend) => {
        if (spends.has(spend.id)) return;
        spends.set(spend.id, spend);
        draw(spend);
      },
      reserve: async ({ work, holder, place, pullSpentMin, caps, offers, now }) => {
        reservations.delete(work);
        for (const [known, held] of reservations) if (held.until <= sweptBefore(now)) reservations.delete(known);
        const standing = standingAt(now);
        const isToday = ({ at }: Spend): boolean => at >= dayOf(now).from;
        const isRepository = (other: Place): boolean =>
          other.instance === place.instance && other.repository.id === place.repository.id;
        const isPull = (other: Place): boolean => isRepository(other) && other.pull === place.pull;
        const choice = chooseOffer({
          caps,
          costs: offers.map(({ costMicroUsd }) => costMicroUsd),
          now,
          standing: {
            pull: atLeast(standing(isPull, isPull), pullSpentMin),
            repositoryDay: standing((spend) => isToday(spend) && isRepository(spend), isRepository),
            day: standing(isToday, () => true),
          },
        });
        if (choice.kind === "taken") {
          const until = offers[choice.index]?.until ?? now;
          reservations.set(work, { holder, place, until, leftMicroUsd: choice.costMicroUsd });
        }
        return choice;
      },
      endReservation: async ({ work, holder }) => {
        if (holder === null || reservations.get(work)?.holder === holder) reservations.delete(work);
      },
      findSpent: async (work) =>
        sum([...spends.values()].filter((spend) => spend.work === work).map(({ costMicroUsd }) => costMicroUsd)),
      forgetSpends: async ({ before, countMax }) => {
        const old = [...spends.values()].filter(({ at }) => at < before).sort((left, right) => left.at - right.at);
        const gone = old.slice(0, countMax);
        for (const { id } of gone) spends.delete(id);
        return gone.length;
      },
    },
    lose: () => {
      spends.clear();
      reservations.clear();
    },
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
