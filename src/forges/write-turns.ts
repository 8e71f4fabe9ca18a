import { compareOrigins, ranksOf, type ServedOrigins, withServed } from "#core/fairness/fair-order.ts";
import { type OriginText, repositoryText } from "#core/fairness/work-origin.ts";
import { after, formatInstant, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError, type WriteUrgency, writeUrgencies } from "#ports/forge.ts";
import type { Store } from "#ports/store.ts";

/** Of one process, at one pace. Replicas share the pace through the store. */
export interface WriteTurns {
  /** Rejects where the wait is too long; nothing was called then. */
  take(writer: Writer): Promise<void>;
}

export interface Writer {
  readonly origin: OriginText;
  readonly urgency: WriteUrgency;
}

export interface WriteTurnsParts {
  readonly store: Pick<Store, "reserveWriteSlot">;
  readonly clock: Clock;
  readonly pace: string;
  readonly gapMs: number;
  readonly onWaiting: (change: 1 | -1) => void;
}

export const turnLimits = {
  /** A lease has the ledger's margin left (20 s). Both spans and the call must fit, or another worker repeats the write. */
  waitMsMax: 8 * secondMs,
  lateMsMax: 2 * secondMs,
  /** Longer than waits and differences of good clocks: a wrong one must not silence the others. */
  aheadMsMax: 15 * secondMs,
  /** Each of them holds what it has seen of its pull. */
  waitingMax: 32,
  /** It comes back after earlier ones of the same origin. */
  sentAwayMsMax: 10 * minuteMs,
  /** One turn in so many goes by fairness alone, so that what is urgent to many does not silence the rest. */
  fairTurnEvery: 4,
} as const;

interface Waiting extends Writer {
  readonly until: Instant;
  readonly order: number;
  readonly settle: (outcome: ForgeError | null) => void;
}

/**
 * Turns are taken from the store singly and given to the most urgent write of that time: people first, then the repository
 * served longest ago, and in it the author.
 */
export function createWriteTurns(parts: WriteTurnsParts): WriteTurns {
  const { store, clock, pace, gapMs } = parts;
  const sendAway = createSendAway(parts);
  const waiting = new Set<Waiting>();
  let served: ServedOrigins = [];
  let given = 0;
  let isServing = false;

  const giveTurn = (turn: Instant): void => {
    const next = chooseNext([...waiting], served, { isFairTurn: (given + 1) % turnLimits.fairTurnEvery === 0 });
    if (next === undefined) return;
    given++;
    served = withServed(served, next.origin);
    const isLate = clock.now() > after(turn, turnLimits.lateMsMax);
    next.settle(isLate ? notCalled("unavailable", `${pace}: this worker slept through its turn to write`, null) : null);
  };
  const sendAwayThose = (isHopeless: (one: Waiting) => boolean): void => {
    for (const one of waiting) if (isHopeless(one)) one.settle(sendAway(one));
  };
  const serveOne = async (): Promise<void> => {
    const now = clock.now();
    const noLaterThan = after(now, turnLimits.waitMsMax);
    const { aheadMsMax } = turnLimits;
    const turn = await store.reserveWriteSlot({ instance: pace, now, gapMs, noLaterThan, aheadMsMax });
    sendAwayThose(({ until }) => turn === null || until < turn);
    if (turn === null) return;
    await clock.sleep(turn - clock.now());
    giveTurn(turn);
  };
  const serve = async (): Promise<void> => {
    isServing = true;
    try {
      while (waiting.size > 0) await serveOne();
    } catch (error) {
      const away = { isApplied: "no", retryAt: null, cause: error } as const;
      for (const one of waiting) one.settle(new ForgeError("unavailable", `${pace}: no turn to write was given`, away));
    } finally {
      isServing = false;
    }
  };

  let asked = 0;
  const waitingMax = Math.min(turnLimits.waitingMax, 1 + Math.floor(turnLimits.waitMsMax / Math.max(1, gapMs)));
  return {
    take: async (writer) => {
      const until = after(clock.now(), turnLimits.waitMsMax);
      const order = asked++;
      await new Promise<void>((resolve, reject) => {
        const one: Waiting = {
          ...writer,
          until,
          order,
          settle: (outcome) => {
            waiting.delete(one);
            parts.onWaiting(-1);
            if (outcome === null) resolve();
            else reject(outcome);
          },
        };
        waiting.add(one);
        parts.onWaiting(1);
        if (waiting.size > waitingMax) {
          const last = chooseLast([...waiting]);
          last?.settle(sendAway(last));
        }
        if (!isServing) void serve();
      });
    },
  };
}

/** Served longest ago, of the most urgent ones or of all. */
function chooseNext<One extends Writer & { readonly order: number }>(
  waiting: readonly One[],
  served: ServedOrigins,
  { isFairTurn }: { readonly isFairTurn: boolean },
): One | undefined {
  const ranks = ranksOf(served);
  const byUrgency = (left: One, right: One): number => placeOf(left) - placeOf(right);
  const byTurn = (left: One, right: One): number => compareOrigins(ranks, left.origin, right.origin);
  return waiting.toSorted((left, right) => {
    const compared = isFairTurn
      ? byTurn(left, right) || byUrgency(left, right)
      : byUrgency(left, right) || byTurn(left, right);
    return compared || left.order - right.order;
  })[0];
}

/** Where too many wait: of the origin with the most, the least urgent and newest. */
function chooseLast<One extends Writer & { readonly order: number }>(waiting: readonly One[]): One | undefined {
  const repositories = countBy(waiting, ({ origin }) => repositoryText(origin));
  const origins = countBy(waiting, ({ origin }) => origin);
  const countOf = ({ origin }: One): readonly [number, number] => [
    repositories.get(repositoryText(origin)) ?? 0,
    origins.get(origin) ?? 0,
  ];
  return waiting.toSorted((left, right) => {
    const [[repository, origin], [otherRepository, otherOrigin]] = [countOf(left), countOf(right)];
    const byCount = otherRepository - repository || otherOrigin - origin;
    return byCount || placeOf(right) - placeOf(left) || right.order - left.order;
  })[0];
}

function placeOf({ urgency }: Writer): number {
  return writeUrgencies.indexOf(urgency);
}

function countBy<One>(all: readonly One[], nameOf: (one: One) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  return counts;
}

/** One after the other: together they would all look at their pulls in vain. */
function createSendAway({ clock, pace, gapMs }: WriteTurnsParts): (writer: Writer) => ForgeError {
  const lastTold = new Map<string, Instant>();
  return ({ origin }) => {
    const now = clock.now();
    for (const [other, at] of lastTold) if (at <= now) lastTold.delete(other);
    const next = after(lastTold.get(origin) ?? now, gapMs) - now;
    const retryAt = after(now, Math.min(Math.max(turnLimits.waitMsMax, next), turnLimits.sentAwayMsMax));
    lastTold.set(origin, retryAt);
    return notCalled("rate_limited", `${pace}: too many writes are waiting, until ${formatInstant(retryAt)}`, retryAt);
  };
}

export function notCalled(kind: "rate_limited" | "unavailable", message: string, retryAt: Instant | null): ForgeError {
  return new ForgeError(kind, message, { isApplied: "no", retryAt });
}
