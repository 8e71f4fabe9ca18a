import { backoffMs } from "#core/backoff.ts";
import { originText } from "#core/fairness/work-origin.ts";
import type { InstanceId } from "#core/model/ids.ts";
import { after, dayMs, formatInstant, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import { ownerOf } from "#forges/owner-of.ts";
import { createWriteTurns, notCalled, type WriteTurns } from "#forges/write-turns.ts";
import type { Clock } from "#ports/clock.ts";
import { type FetchedPull, type Forge, ForgeError, type WriteUrgency } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Store } from "#ports/store.ts";

export interface ThrottledForgeOptions {
  readonly forge: Forge;
  readonly store: Store;
  readonly clock: Clock;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
  /** Default `one`: all calls count together. `by_owner`: each owner's apart, as for an App that several installed. */
  readonly paces?: "one" | "by_owner";
  /** Changes of the number of waiting writes. */
  readonly onWaiting?: (change: 1 | -1) => void;
}

/** Through the store, one worker's limit holds for all: a pause stops calls, writes keep a distance (`write-turns.ts`). */
export function throttledForge(parts: ThrottledForgeOptions): Forge {
  const { forge } = parts;
  const pace = createPace(parts);
  return {
    fetchIdentity: async () => pace.ask(null, async () => forge.fetchIdentity()),
    fetchRepository: async (name) => pace.ask(name, async () => forge.fetchRepository(name)),
    findRateLimit: (repository) => forge.findRateLimit(repository),
    fetchPull: async (pull) => {
      const fetched = await pace.ask(pull.repository.name, async () => forge.fetchPull(pull));
      pace.noteAuthor(pull, fetched);
      return fetched;
    },
    fetchPermission: async (request) => pace.ask(request.repository.name, async () => forge.fetchPermission(request)),
    fetchOpenPulls: async (repository) => pace.ask(repository.name, async () => forge.fetchOpenPulls(repository)),
    fetchRemote: async (repository, use) => pace.ask(repository.name, async () => forge.fetchRemote(repository, use)),
    // Urgency decides the turn here; the forge is not told.
    createComment: async ({ urgency = "people", ...request }) =>
      pace.write(request.pull, urgency, async () => forge.createComment(request)),
    editComment: async ({ urgency = "upkeep", ...request }) =>
      pace.write(request.pull, urgency, async () => forge.editComment(request)),
    addReaction: async (request) => pace.write(request.pull, "people", async () => forge.addReaction(request)),
    claimPull: async (request) => pace.write(request.pull, "upkeep", async () => forge.claimPull(request)),
    releasePull: async (request) => pace.write(request.pull, "upkeep", async () => forge.releasePull(request)),
    submitReview: async (request) => pace.write(request.pull, "result", async () => forge.submitReview(request)),
    editReview: async (request) => pace.write(request.pull, "result", async () => forge.editReview(request)),
    dismissReview: async (request) => pace.write(request.pull, "result", async () => forge.dismissReview(request)),
    discardPendingReview: async (request) =>
      pace.write(request.pull, "upkeep", async () => forge.discardPendingReview(request)),
    replyInThread: async (request) => pace.write(request.pull, "people", async () => forge.replyInThread(request)),
    resolveThread: async (request) => pace.write(request.pull, "result", async () => forge.resolveThread(request)),
    setGate: async (request) => pace.write(request.pull, "result", async () => forge.setGate(request)),
    editLabels: async (request) => pace.write(request.pull, "upkeep", async () => forge.editLabels(request)),
    requestReviews: async (request) => pace.write(request.pull, "result", async () => forge.requestReviews(request)),
    merge: async (request) => pace.write(request.pull, "result", async () => forge.merge(request)),
  };
}

const paceLimits = {
  /** GitHub's pause where it names no time; doubled each time that it was not enough. */
  pauseMsMin: minuteMs,
  pauseMsMax: hourMs,
  /** A longer order is obeyed for a day and asked for again: one wrong number must not silence Drover for good. */
  orderedPauseMsMax: dayMs,
} as const;

interface Pace {
  ask<Answer>(repository: string | null, call: () => Promise<Answer>): Promise<Answer>;
  write<Answer>(pull: PullRef, urgency: WriteUrgency, call: () => Promise<Answer>): Promise<Answer>;
  /** An author's pulls share the turns to write. */
  noteAuthor(pull: PullRef, seen: Pick<FetchedPull, "pull">): void;
}

function createPace(parts: ThrottledForgeOptions): Pace {
  const { store, clock } = parts;
  const turns = createTurnsByPace(parts);
  const authors = new Map<string, string>();
  /** Refused calls in a row, by pace. Calls that went out side by side count as one. */
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
    write: async (pull, urgency, call) => {
      const pace = paceOf(pull.repository.name);
      await refuseInPause(parts, pace);
      const origin = originText({ repository: pull.repository.id, author: authors.get(nameOf(pull)) ?? null });
      await turns(pace).take({ origin, urgency });
      return await askIn(pace, call);
    },
    noteAuthor: (pull, seen) => {
      const [oldest] = authors.keys();
      if (authors.size >= authorsMax && oldest !== undefined) authors.delete(oldest);
      authors.set(nameOf(pull), seen.pull.author.id);
    },
  };
}

function nameOf({ repository, number }: PullRef): string {
  return `${repository.id}/${number}`;
}

/** Every turn at a pull begins with a look at it, so those that are worked on are among the last. */
const authorsMax = 1000;

function createTurnsByPace({
  store,
  clock,
  writeGapMs,
  onWaiting,
}: ThrottledForgeOptions): (pace: string) => WriteTurns {
  const known = new Map<string, WriteTurns>();
  return (pace) => {
    const turns =
      known.get(pace) ??
      createWriteTurns({ store, clock, pace, gapMs: writeGapMs, onWaiting: onWaiting ?? (() => undefined) });
    known.set(pace, turns);
    return turns;
  };
}

/** All replicas know a pace by it. What is asked for no repository is counted by itself. */
function paceName({ instance, paces = "one" }: ThrottledForgeOptions, repository: string | null): string {
  return paces === "one" || repository === null ? instance : `${encodeURIComponent(instance)}/${ownerOf(repository)}`;
}

async function refuseInPause({ store, clock }: ThrottledForgeOptions, pace: string): Promise<void> {
  const until = await store.findPause({ instance: pace, now: clock.now() });
  if (until === undefined) return;
  throw notCalled("rate_limited", `${pace}: the forge asked for quiet until ${formatInstant(until)}`, until);
}

/** An order in the past is none: clocks differ, and asking at once is the worst answer. */
function pauseAfter({ retryAt }: ForgeError, now: Instant, strikes: number): Instant {
  if (retryAt !== null && retryAt > now) {
    const latest = after(now, paceLimits.orderedPauseMsMax);
    return retryAt < latest ? retryAt : latest;
  }
  return after(now, backoffMs({ attempt: strikes, firstMs: paceLimits.pauseMsMin, maxMs: paceLimits.pauseMsMax }));
}
