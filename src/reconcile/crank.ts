import { originOf } from "#act/turn.ts";
import { after, earliest, type Instant } from "#core/model/instant.ts";
import { LandingJob, PollJob, ReviewJobData, SessionJobData, TalkJobData, TickJob } from "#core/model/job.ts";
import type { Shape } from "#core/model/shape.ts";
import { readStored } from "#core/model/stored.ts";
import { never } from "#core/never.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { runReviewJob } from "#jobs/run-review-job.ts";
import { runSessionJob } from "#jobs/run-session-job.ts";
import { runTalkJob } from "#jobs/run-talk-job.ts";
import { createObserver, type Observer } from "#observe/observe.ts";
import { type Log, withFacts } from "#ports/log.ts";
import type { Parts } from "#ports/parts.ts";
import { type PullRef, pullKeyOf, type RepositoryRef } from "#ports/pull-ref.ts";
import { type QueueName, queueNames, type TakenEntry } from "#ports/queue.ts";
import { land } from "#reconcile/landing.ts";
import { type HeldEntry, holdEntry } from "#reconcile/lease.ts";
import { mayTry } from "#reconcile/may-try.ts";
import { ensureWatched, poke, poll, pollAgain, pollSoon, remind, watch } from "#reconcile/poll.ts";
import { cadence } from "#reconcile/poll-cadence.ts";
import { type Ending, putAnew, setAside } from "#reconcile/set-aside.ts";
import { type TickPlace, type TickReport, tick } from "#reconcile/tick.ts";

/** A worker's hands: it takes what is due and deals with it. Any number of them may turn beside each other. */
export interface Crank {
  /** Says that this pull should be looked at, now. Whoever knows who opened it says so: the author's pulls share turns. */
  poke(pull: PullRef, author?: string): Promise<void>;

  /** Looks over all open pulls of a repository and pokes those on which something happened, or should have. */
  poll(repository: RepositoryRef): Promise<number>;

  /** From now on this repository is polled, by whichever worker is free: at once, and then as often as it is worth. */
  watch(repository: string): Promise<void>;

  /** As `watch` where nobody is going to poll it; what is planned already stays as it is. */
  ensureWatched(repository: string): Promise<void>;

  /** Takes one entry that is due from any queue and deals with it: a tick or a job. `idle`: nothing is due. */
  turn(): Promise<"worked" | "idle">;

  /** The first half of a turn: takes an entry of one of these queues, and answers with the rest. Null: nothing is due. */
  take(queues?: readonly QueueName[]): Promise<Work | null>;

  /** For a process that must end: whatever is being worked on is stopped and due at once for somebody else. */
  handBack(): Promise<number>;
}

/** An entry that was taken. Whoever has taken it runs it. */
export interface Work {
  readonly queue: QueueName;
  run(): Promise<void>;
}

export interface CrankOptions {
  /** Told after each tick what was seen, decided and done. The log is that of the tick's turn. */
  readonly onTick?: (pull: PullRef, report: TickReport, log: Log) => void;
  /** Whether a repository is still to be polled; without it all are that ever were. */
  readonly isWatched?: (repository: string) => boolean;
  /** Whether `isWatched` can be believed when it says no: the list of repositories may have to be fetched first. */
  readonly isListKnown?: () => boolean;
  /** How late a reaction may be noticed by the polls of what is watched; by default as late as anything else. */
  readonly reactionMsMax?: () => number;
}

export function createCrank(parts: Parts, options: CrankOptions = {}): Crank {
  const observer = createObserver(parts, { isPolled: options.isWatched });
  const busy = new Map<TakenEntry, HeldEntry>();
  const take = async (queues: readonly QueueName[] = queueNames): Promise<Work | null> => {
    const { leaseMs } = parts.spans;
    const askedAt = parts.clock.now();
    const taken = await parts.queue.take({ queues, leaseMs });
    if (taken === null) return null;
    // How far the queue's clock is ahead of ours. What is due at a time of ours would else be due at once, again and
    // again, for as long as this machine's clock is behind.
    const aheadMs = Math.max(0, taken.leaseUntil - leaseMs - askedAt);
    const held = holdEntry(parts, taken, { leaseMs, askedAt });
    busy.set(taken, held);
    const run = async (): Promise<void> => {
      try {
        // Lines of one turn belong together, also when the next turn is another worker's.
        // The key of a tick is that of its pull, and those of jobs begin with it.
        const log = withFacts(parts.log, { turn: taken.token.slice(0, turnCharacters), key: taken.key });
        const hands = { parts: { ...parts, log }, observer, options, onQueue: (at: Instant) => after(at, aheadMs) };
        await deal(hands, taken, held);
      } finally {
        busy.delete(taken);
      }
    };
    return { queue: taken.queue, run };
  };
  return {
    poke: (pull, author) => poke(parts, { pull, author: author ?? null }),
    poll: async (repository) => (await poll(parts, repository)).poked,
    watch: (repository) => watch(parts, repository),
    ensureWatched: (repository) => ensureWatched(parts, repository),
    turn: async () => {
      const work = await take();
      await work?.run();
      return work === null ? "idle" : "worked";
    },
    take,
    handBack: async () => {
      const entries = [...busy];
      const handed = await Promise.all(entries.map(([taken, held]) => handOne(parts, taken, held)));
      return handed.filter(Boolean).length;
    },
  };
}

/** First for the others, then an end here, also where the queue does not hear of it: then the lease runs out. */
async function handOne({ queue, clock, log }: Parts, taken: TakenEntry, held: HeldEntry): Promise<boolean> {
  try {
    await queue.retry(taken, clock.now());
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.warn({ queue: taken.queue, key: taken.key, why }, "an entry could not be handed back");
    return false;
  } finally {
    held.letGo();
  }
}

interface Hands extends Ending {
  readonly observer: Observer;
  readonly options: CrankOptions;
}

/** A bug ends this entry's turn loudly and leaves the others running. */
async function deal(hands: Hands, taken: TakenEntry, held: HeldEntry): Promise<void> {
  const { parts } = hands;
  if (!(await mayTry(parts, taken))) return;
  try {
    const end = await dispatch(hands, taken, held);
    if (end.kind === "finished") await parts.queue.finish(taken);
    else if (end.kind === "again") await parts.queue.retry(taken, hands.onQueue(end.at));
    else await putAnew(hands, taken, end.at);
  } catch (error) {
    await setAside(hands, taken, error);
  }
}

const turnCharacters = 8;

async function dispatch(hands: Hands, taken: TakenEntry, held: HeldEntry): Promise<JobEnd> {
  const { parts, observer } = hands;
  const read = <Schema extends Shape>(schema: Schema) => readStored(schema, taken.payload, "what the queue says of it");
  const job: JobPlace = {
    parts,
    observer,
    key: taken.key,
    origin: taken.origin,
    attempt: taken.attempt,
    leaseUntil: held.until,
    keepLease: held.keep,
    signal: held.signal,
  };
  switch (taken.queue) {
    case "tick": {
      const { pull, isReminder } = read(TickJob);
      if (!isReminder) return await runTick(hands, { taken, held, pull });
      await remind(parts, { pull, origin: taken.origin }, hands.onQueue(parts.clock.now()));
      return { kind: "finished" };
    }
    case "poll": {
      const { repository, everyMs } = read(PollJob);
      if (hands.options.isWatched?.(repository) === false) return unwatched(hands);
      const next = await pollAgain(parts, { repository, everyMs, reactionMsMax: reactionMsMax(hands) });
      await watch(parts, repository, { ...next, at: hands.onQueue(next.at) });
      return { kind: "finished" };
    }
    case "landing": {
      const landing = read(LandingJob);
      return await lookingAgain(hands, { taken, held, pull: landing.pull }, (place) => land(place, landing));
    }
    case "review":
      return await alive(held, () => runReviewJob(job, read(ReviewJobData)));
    case "session":
      return await alive(held, () => runSessionJob(job, read(SessionJobData)));
    case "talk":
      return await alive(held, () => runTalkJob(job, read(TalkJobData)));
    default:
      return never(taken.queue);
  }
}

function reactionMsMax({ options }: Hands): number {
  return options.reactionMsMax?.() ?? cadence.msMax;
}

/** Whoever does not know yet what is watched leaves it to the others, or to itself when it knows. */
function unwatched({ parts, options }: Hands): JobEnd {
  if (options.isListKnown?.() !== false) return { kind: "finished" };
  return { kind: "waits", at: after(parts.clock.now(), cadence.msMin) };
}

interface Looking {
  readonly taken: TakenEntry;
  readonly held: HeldEntry;
  readonly pull: PullRef;
}

async function runTick(hands: Hands, looking: Looking): Promise<JobEnd> {
  const { pull } = looking;
  return await lookingAgain(hands, looking, async (place) => {
    const report = await tick(place, pull);
    if (report.kind === "looked" && report.seen.isPolled && report.seen.pull.state === "open") {
      await pollSoon(hands.parts, pull, { reactionMsMax: reactionMsMax(hands), onQueue: hands.onQueue });
    }
    hands.options.onTick?.(pull, report, hands.parts.log);
  });
}

/** Whatever asked for another look gets it: the earliest of all, put in before this one counts as finished. */
async function lookingAgain(
  { parts, observer, onQueue }: Hands,
  { taken, held, pull }: Looking,
  run: (place: TickPlace) => Promise<void>,
): Promise<JobEnd> {
  const times: Instant[] = [];
  const lookAgain = (at: Instant): void => {
    times.push(at);
  };
  // A pull with hundreds of people on it takes longer to look at than a lease: two workers would take it from each other
  // for ever, and neither would come to act. Acting is not kept alive: what was seen must not grow old meanwhile.
  let { origin } = taken;
  const patient: Observer = {
    look: async (ref) => {
      const look = await alive(held, () => observer.look(ref));
      if (look.kind === "seen") origin = originOf(look.observed);
      return look;
    },
  };
  await run({ parts, observer: patient, leaseUntil: held.until, keepLease: held.keep, lookAgain });
  const first = earliest(times);
  if (first !== undefined) {
    const at = onQueue(first);
    const key = pullKeyOf(parts.instance, pull);
    await parts.queue.put({ queue: "tick", key, at, whileRunning: "keep", priority: 2, payload: { pull }, origin });
  }
  return { kind: "finished" };
}

async function alive<Result>(held: HeldEntry, run: () => Promise<Result>): Promise<Result> {
  const heart = held.keepAlive();
  try {
    return await run();
  } finally {
    await heart.stop();
  }
}
