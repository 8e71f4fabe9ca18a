import type { InstanceId } from "#core/model/ids.ts";
import { after, dayMs, formatInstant, hourMs, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { Store } from "#ports/store.ts";

export interface PacedForgeParts {
  readonly forge: Forge;
  readonly store: Store;
  readonly clock: Clock;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
}

/**
 * A forge whose limits are obeyed by the whole installation: whatever one worker is told holds for all, through the
 * store. During a pause nothing is asked, and writes follow each other at a distance.
 */
export function pacedForge(parts: PacedForgeParts): Forge {
  const { forge } = parts;
  const { ask, write } = createPace(parts);
  return {
    fetchIdentity: async () => ask(async () => forge.fetchIdentity()),
    fetchRepository: async (name) => ask(async () => forge.fetchRepository(name)),
    findBudget: () => forge.findBudget(),
    fetchPull: async (pull) => ask(async () => forge.fetchPull(pull)),
    fetchPermission: async (request) => ask(async () => forge.fetchPermission(request)),
    fetchOpenPulls: async (repository) => ask(async () => forge.fetchOpenPulls(repository)),
    fetchRemote: async (repository, use) => ask(async () => forge.fetchRemote(repository, use)),
    createComment: async (request) => write(async () => forge.createComment(request)),
    editComment: async (request) => write(async () => forge.editComment(request)),
    addReaction: async (request) => write(async () => forge.addReaction(request)),
    submitReview: async (request) => write(async () => forge.submitReview(request)),
    editReview: async (request) => write(async () => forge.editReview(request)),
    dismissReview: async (request) => write(async () => forge.dismissReview(request)),
    discardPendingReview: async (request) => write(async () => forge.discardPendingReview(request)),
    replyInThread: async (request) => write(async () => forge.replyInThread(request)),
    resolveThread: async (request) => write(async () => forge.resolveThread(request)),
    setGate: async (request) => write(async () => forge.setGate(request)),
    editLabels: async (request) => write(async () => forge.editLabels(request)),
    requestReviews: async (request) => write(async () => forge.requestReviews(request)),
    merge: async (request) => write(async () => forge.merge(request)),
  };
}

export const paceLimits = {
  /** What GitHub asks for where it names no time; it doubles each time that it was not enough. */
  pauseMsMin: minuteMs,
  pauseMsMax: hourMs,
  /** A longer order is obeyed for a day and asked for again: one wrong number must not silence Drover for good. */
  orderedPauseMsMax: dayMs,
  /**
   * A write that waits is under a lease, with as much of it left as the ledger's margin (20 s). Both spans and the call
   * itself have to fit in: otherwise somebody else would have taken over, and the write would come on top of theirs.
   */
  turnWaitMsMax: 8 * secondMs,
  turnLateMsMax: 2 * secondMs,
  /** Longer than anybody waits, and than clocks that are looked after differ: one that is wrong must not silence the others. */
  turnAheadMsMax: 15 * secondMs,
} as const;

type Call = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

function createPace(parts: PacedForgeParts): { readonly ask: Call; readonly write: Call } {
  const { store, clock, instance } = parts;
  /** How many calls in a row were turned away. Calls that went out side by side count as one. */
  let strikes = 0;

  async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    await refuseInPause(parts);
    const strikesBefore = strikes;
    try {
      const answer = await call();
      if (strikes === strikesBefore) strikes = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof ForgeError) || error.kind !== "rate_limited") throw error;
      strikes = Math.max(strikes, strikesBefore + 1);
      const until = pauseAfter(error, clock.now(), strikes);
      await store.extendPause({ instance, until });
      const { isApplied } = error;
      throw new ForgeError("rate_limited", error.message, { isApplied, retryAt: until, cause: error });
    }
  }

  async function write<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    await refuseInPause(parts);
    await waitForTurn(parts);
    return ask(call);
  }

  return { ask, write };
}

async function refuseInPause({ store, clock, instance }: PacedForgeParts): Promise<void> {
  const until = await store.findPause({ instance, now: clock.now() });
  if (until === undefined) return;
  throw notCalled("rate_limited", `${instance}: the forge asked for quiet until ${formatInstant(until)}`, until);
}

async function waitForTurn({ store, clock, instance, writeGapMs }: PacedForgeParts): Promise<void> {
  const now = clock.now();
  const noLaterThan = after(now, paceLimits.turnWaitMsMax);
  const { turnAheadMsMax: aheadMsMax } = paceLimits;
  const turn = await store.takeWriteTurn({ instance, now, gapMs: writeGapMs, noLaterThan, aheadMsMax });
  if (turn === null) throw notCalled("rate_limited", `${instance}: too many writes are waiting`, noLaterThan);
  await clock.sleep(turn - clock.now());
  if (clock.now() <= after(turn, paceLimits.turnLateMsMax)) return;
  throw notCalled("unavailable", `${instance}: this worker slept through its turn to write`, null);
}

function notCalled(kind: "rate_limited" | "unavailable", message: string, retryAt: Instant | null): ForgeError {
  return new ForgeError(kind, message, { isApplied: "no", retryAt });
}

/** An order that lies in the past is none: the forge's clock is not ours, and asking again at once is the worst answer. */
function pauseAfter({ retryAt }: ForgeError, now: Instant, strikes: number): Instant {
  if (retryAt !== null && retryAt > now) {
    const latest = after(now, paceLimits.orderedPauseMsMax);
    return retryAt < latest ? retryAt : latest;
  }
  return after(now, Math.min(paceLimits.pauseMsMin * 2 ** (strikes - 1), paceLimits.pauseMsMax));
}
