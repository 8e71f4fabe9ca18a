import type { InstanceId } from "#core/model/ids.ts";
import { after, dayMs, formatInstant, hourMs, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { ownerOf } from "#forges/owner-of.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { Store } from "#ports/store.ts";

export interface PacedForgeParts {
  readonly forge: Forge;
  readonly store: Store;
  readonly clock: Clock;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
  /**
   * `one`, unless told otherwise: the forge counts all calls together. `by_owner`: those for each owner of repositories by
   * themselves, as GitHub does with an App that several have installed. Then a pause of one says nothing about the others.
   */
  readonly paces?: "one" | "by_owner";
}

/**
 * A forge whose limits are obeyed by the whole installation: whatever one worker is told holds for all, through the
 * store. During a pause nothing is asked, and writes follow each other at a distance.
 */
export function pacedForge(parts: PacedForgeParts): Forge {
  const { forge } = parts;
  const { ask, write } = createPace(parts);
  return {
    fetchIdentity: async () => ask(null, async () => forge.fetchIdentity()),
    fetchRepository: async (name) => ask(name, async () => forge.fetchRepository(name)),
    findBudget: (repository) => forge.findBudget(repository),
    fetchPull: async (pull) => ask(pull.repository.name, async () => forge.fetchPull(pull)),
    fetchPermission: async (request) => ask(request.repository.name, async () => forge.fetchPermission(request)),
    fetchOpenPulls: async (repository) => ask(repository.name, async () => forge.fetchOpenPulls(repository)),
    fetchRemote: async (repository, use) => ask(repository.name, async () => forge.fetchRemote(repository, use)),
    createComment: async (request) => write(request.pull.repository.name, async () => forge.createComment(request)),
    editComment: async (request) => write(request.pull.repository.name, async () => forge.editComment(request)),
    addReaction: async (request) => write(request.pull.repository.name, async () => forge.addReaction(request)),
    submitReview: async (request) => write(request.pull.repository.name, async () => forge.submitReview(request)),
    editReview: async (request) => write(request.pull.repository.name, async () => forge.editReview(request)),
    dismissReview: async (request) => write(request.pull.repository.name, async () => forge.dismissReview(request)),
    discardPendingReview: async (request) =>
      write(request.pull.repository.name, async () => forge.discardPendingReview(request)),
    replyInThread: async (request) => write(request.pull.repository.name, async () => forge.replyInThread(request)),
    resolveThread: async (request) => write(request.pull.repository.name, async () => forge.resolveThread(request)),
    setGate: async (request) => write(request.pull.repository.name, async () => forge.setGate(request)),
    editLabels: async (request) => write(request.pull.repository.name, async () => forge.editLabels(request)),
    requestReviews: async (request) => write(request.pull.repository.name, async () => forge.requestReviews(request)),
    merge: async (request) => write(request.pull.repository.name, async () => forge.merge(request)),
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

/** What is asked for a repository, by its name, or for none. */
type Call = <Answer>(repository: string | null, call: () => Promise<Answer>) => Promise<Answer>;

function createPace(parts: PacedForgeParts): { readonly ask: Call; readonly write: Call } {
  const { store, clock } = parts;
  /** How many calls in a row were turned away, by pace. Calls that went out side by side count as one. */
  const strikes = new Map<string, number>();
  const strikesOf = (pace: string): number => strikes.get(pace) ?? 0;
  const paceOf = (repository: string | null): string => paceName(parts, repository);

  async function askIn<Answer>(pace: string, call: () => Promise<Answer>): Promise<Answer> {
    await refuseInPause(parts, pace);
    const strikesBefore = strikesOf(pace);
    try {
      const answer = await call();
      if (strikesOf(pace) === strikesBefore) strikes.delete(pace);
      return answer;
    } catch (error) {
      if (!(error instanceof ForgeError) || error.kind !== "rate_limited") throw error;
      const count = Math.max(strikesOf(pace), strikesBefore + 1);
      strikes.set(pace, count);
      const until = pauseAfter(error, clock.now(), count);
      await store.extendPause({ instance: pace, until });
      const { isApplied } = error;
      throw new ForgeError("rate_limited", error.message, { isApplied, retryAt: until, cause: error });
    }
  }

  return {
    ask: async (repository, call) => await askIn(paceOf(repository), call),
    write: async (repository, call) => {
      const pace = paceOf(repository);
      await refuseInPause(parts, pace);
      await waitForTurn(parts, pace);
      return await askIn(pace, call);
    },
  };
}

/** The name that all replicas know a pace by. What is asked for no repository is counted by itself. */
function paceName({ instance, paces = "one" }: PacedForgeParts, repository: string | null): string {
  return paces === "one" || repository === null ? instance : `${encodeURIComponent(instance)}/${ownerOf(repository)}`;
}

async function refuseInPause({ store, clock }: PacedForgeParts, pace: string): Promise<void> {
  const until = await store.findPause({ instance: pace, now: clock.now() });
  if (until === undefined) return;
  throw notCalled("rate_limited", `${pace}: the forge asked for quiet until ${formatInstant(until)}`, until);
}

async function waitForTurn({ store, clock, writeGapMs }: PacedForgeParts, pace: string): Promise<void> {
  const now = clock.now();
  const noLaterThan = after(now, paceLimits.turnWaitMsMax);
  const { turnAheadMsMax: aheadMsMax } = paceLimits;
  const turn = await store.takeWriteTurn({ instance: pace, now, gapMs: writeGapMs, noLaterThan, aheadMsMax });
  if (turn === null) throw notCalled("rate_limited", `${pace}: too many writes are waiting`, noLaterThan);
  await clock.sleep(turn - clock.now());
  if (clock.now() <= after(turn, paceLimits.turnLateMsMax)) return;
  throw notCalled("unavailable", `${pace}: this worker slept through its turn to write`, null);
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
