import type { Clock } from "#ports/clock.ts";
import type { Border, Crossing } from "./border.ts";

/** What is in store for one worker. */
export interface Fate {
  readonly border: Border;
  /** Dead, or asleep: nobody should wait for it. */
  isAway(): boolean;
  isDead(): boolean;
  /** Everything that it has crossed so far. */
  readonly crossings: readonly Crossing[];
}

/** It only counts. */
export function watchedFate(): Fate {
  const crossings: Crossing[] = [];
  const border: Border = async (crossing) => {
    crossings.push(crossing);
  };
  return { border, crossings, isAway: () => false, isDead: () => false };
}

/** At the crossing with this number (from 0) the worker dies: no call of its answers from then on. */
export function diesAt(number: number): Fate {
  const fate: Fate = diesWhen(() => fate.crossings.length > number);
  return fate;
}

/** At the first crossing of this kind it is stopped for that long: a laptop that was closed, a collector of garbage. */
export function sleepsAt(place: Crossing, { clock, ms }: { readonly clock: Clock; readonly ms: number }): Fate {
  const crossings: Crossing[] = [];
  let isAsleep = false;
  let hasSlept = false;
  const border: Border = async (crossing) => {
    crossings.push(crossing);
    if (hasSlept || crossing.call !== place.call || crossing.side !== place.side) return;
    hasSlept = true;
    isAsleep = true;
    await clock.sleep(ms);
    isAsleep = false;
  };
  return { border, crossings, isAway: () => isAsleep, isDead: () => false };
}

/** At the crossing with this number (from 0) it stands still as a whole, heart and all, and goes on as if nothing had been. */
export function freezesAt(number: number, nap: { readonly clock: Clock; readonly ms: number }): Fate {
  return freezesWhen((_, count) => count === number + 1, nap);
}

/** The same at the first crossing of this kind. */
export function freezesAtFirst(place: Crossing, nap: { readonly clock: Clock; readonly ms: number }): Fate {
  let isOver = false;
  return freezesWhen(({ call, side }) => {
    const isThere = !isOver && call === place.call && side === place.side;
    isOver ||= isThere;
    return isThere;
  }, nap);
}

function freezesWhen(
  isWhen: (crossing: Crossing, count: number) => boolean,
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
): Fate {
  const crossings: Crossing[] = [];
  let until = 0;
  const isAway = (): boolean => clock.now() < until;
  const border: Border = async (crossing) => {
    if (isWhen(crossing, crossings.push(crossing))) until = clock.now() + ms;
    if (isAway()) await clock.sleep(until - clock.now());
  };
  return { border, crossings, isAway, isDead: () => false };
}

/** From the moment that this is so, no call of its answers. */
export function diesWhen(isDead: () => boolean): Fate {
  const crossings: Crossing[] = [];
  const border: Border = (crossing) => {
    crossings.push(crossing);
    return isDead() ? new Promise<never>(() => undefined) : Promise.resolve();
  };
  return { border, crossings, isAway: isDead, isDead };
}

/** It is busy with something long while this is so: the others go on without waiting. */
export function busyWhile(isAway: () => boolean): Fate {
  return { ...watchedFate(), isAway };
}
