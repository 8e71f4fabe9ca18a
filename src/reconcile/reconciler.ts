import { ensureMerged } from "#act/ensure-merged.ts";
import { createPullContext, originOf } from "#act/pull-context.ts";
import { derive } from "#core/derive/derive.ts";
import { errorText } from "#core/error-text.ts";
import type { Shape } from "#core/model/data.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { after, earliest, type Instant } from "#core/model/instant.ts";
import { LandingJob, PollJob, ReviewQueueData, SessionJobData, TalkJobData, TickJob } from "#core/model/job.ts";
import { readStored } from "#core/model/stored.ts";
import { never } from "#core/never.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { cadence } from "#core/plan/next-check.ts";
import { answerQuestion } from "#jobs/answer.ts";
import { classifyRemark } from "#jobs/classify.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { resolveDispute } from "#jobs/resolve-dispute.ts";
import { runJob, withObservation } from "#jobs/run-job.ts";
import { runReviewJob } from "#jobs/run-review-job.ts";
import { runSessionJob } from "#jobs/run-session-job.ts";
import { createObserver, type Observer } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { type Log, withFacts } from "#ports/log.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { type ClaimedEntry, type QueueName, queueNames } from "#ports/queue.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { type EntryContext, handleEntryFailure, mayRunAfterTakeovers, requeueEntry } from "#reconcile/entry-failure.ts";
import { createEntryLease, type EntryLease } from "#reconcile/entry-lease.ts";
import {
  ensurePollScheduled,
  poke,
  poll,
  pollRepository,
  pollSoon,
  putReminder,
  schedulePoll,
} from "#reconcile/poll.ts";
import { type TickContext, type TickReport, tick } from "#reconcile/tick.ts";

export interface Reconciler {
  /** With `author` the author's pulls share turns. */
  poke(pull: PullRef, author?: string): Promise<void>;

  /** Pokes the open pulls on which something happened, or should have. */
  poll(repository: RepositoryRef): Promise<number>;

  /** Polls at once, and then at a pace that fits the activity. */
  watch(repository: string): Promise<void>;

  /** Like `watch`, but an existing plan stays as it is. */
  ensureWatched(repository: string): Promise<void>;

  processNext(): Promise<"worked" | "idle">;

  /** Claims an entry of one of these queues; `Work` does the rest. Null: nothing is due. */
  claimNext(queues?: readonly QueueName[]): Promise<Work | null>;

  /** For a process that must end: stops running work, and makes it due at once for other workers. */
  releaseAll(): Promise<number>;
}

export interface Work {
  readonly queue: QueueName;
  run(): Promise<void>;
}

export interface ReconcilerOptions {
  readonly onTick?: (pull: PullRef, report: TickReport, log: Log) => void;
  readonly isWatched?: (repository: string) => boolean;
  /** Whether a "no" of `isWatched` is certain: the list of repositories may not have been fetched yet. */
  readonly isListKnown?: () => boolean;
  readonly reactionMsMax?: () => number;
}

export function createReconciler(dependencies: Dependencies, options: ReconcilerOptions = {}): Reconciler {
  const observer = createObserver(dependencies, { isPolled: options.isWatched });
  const busy = new Map<ClaimedEntry, EntryLease>();
  const claimNext = async (queues: readonly QueueName[] = queueNames): Promise<Work | null> => {
    const { leaseMs } = dependencies.durations;
    const askedAt = dependencies.clock.now();
    const claimed = await dependencies.queue.claim({ queues, leaseMs });
    if (claimed === null) return null;
    // How far the queue's clock is ahead. Without it, a time of ours would be due at once, again and again.
    const aheadMs = Math.max(0, claimed.leaseUntil - leaseMs - askedAt);
    const lease = createEntryLease(dependencies, claimed, { leaseMs, askedAt });
    busy.set(claimed, lease);
    const run = async (): Promise<void> => {
      try {
        // Lines of one turn share an id. The key of a tick is that of its pull, and keys of jobs begin with it.
        const log = withFacts(dependencies.log, { turn: claimed.token.slice(0, turnCharacters), key: claimed.key });
        const context = {
          dependencies: { ...dependencies, log },
          observer,
          options,
          onQueue: (at: Instant) => after(at, aheadMs),
        };
        await runEntry(context, claimed, lease);
      } finally {
        busy.delete(claimed);
      }
    };
    return { queue: claimed.queue, run };
  };
  return {
    poke: (pull, author) => poke(dependencies, { pull, author: author ?? null }),
    poll: async (repository) => (await poll(dependencies, repository)).poked,
    watch: (repository) => schedulePoll(dependencies, repository),
    ensureWatched: (repository) => ensurePollScheduled(dependencies, repository),
    processNext: async () => {
      const work = await claimNext();
      await work?.run();
      return work === null ? "idle" : "worked";
    },
    claimNext,
    releaseAll: async () => {
      const entries = [...busy];
      const released = await Promise.all(entries.map(([claimed, lease]) => releaseEntry(dependencies, claimed, lease)));
      return released.filter(Boolean).length;
    },
  };
}

/** For the others first, then here: if the queue does not hear of it, the lease expires. */
async function releaseEntry(
  { queue, clock, log }: Dependencies,
  claimed: ClaimedEntry,
  lease: EntryLease,
): Promise<boolean> {
  try {
    await queue.retry(claimed, clock.now());
    return true;
  } catch (error) {
    log.warn({ queue: claimed.queue, key: claimed.key, why: errorText(error) }, "an entry could not be released");
    return false;
  } finally {
    lease.abandon();
  }
}

interface ReconcilerContext extends EntryContext {
  readonly observer: Observer;
  readonly options: ReconcilerOptions;
}

/** A bug ends this entry's turn loudly and leaves the others running. */
async function runEntry(context: ReconcilerContext, claimed: ClaimedEntry, lease: EntryLease): Promise<void> {
  const { dependencies } = context;
  if (!(await mayRunAfterTakeovers(dependencies, claimed))) return;
  try {
    const end = await dispatch(context, claimed, lease);
    if (end.kind === "finished") await dependencies.queue.finish(claimed);
    else if (end.kind === "again") await dependencies.queue.retry(claimed, context.onQueue(end.at));
    else await requeueEntry(context, claimed, end.at);
  } catch (error) {
    await handleEntryFailure(context, claimed, error);
  }
}

const turnCharacters = 8;

async function dispatch(context: ReconcilerContext, claimed: ClaimedEntry, lease: EntryLease): Promise<JobOutcome> {
  const { dependencies, observer } = context;
  const read = <Schema extends Shape>(schema: Schema) =>
    readStored(schema, claimed.payload, "what the queue says of it");
  const job: JobContext = {
    dependencies,
    observer,
    key: claimed.key,
    origin: claimed.origin,
    attempt: claimed.attempt,
    leaseUntil: lease.until,
    keepLease: lease.renewIfDue,
    signal: lease.signal,
  };
  switch (claimed.queue) {
    case "tick": {
      const { pull, isReminder } = read(TickJob);
      if (!isReminder) return await runTick(context, { claimed, lease, pull });
      await putReminder(dependencies, { pull, origin: claimed.origin }, context.onQueue(dependencies.clock.now()));
      return { kind: "finished" };
    }
    case "poll": {
      const { repository, everyMs } = read(PollJob);
      if (context.options.isWatched?.(repository) === false) return unwatched(context);
      const next = await pollRepository(dependencies, { repository, everyMs, reactionMsMax: reactionMsMax(context) });
      await schedulePoll(dependencies, repository, { ...next, at: context.onQueue(next.at) });
      return { kind: "finished" };
    }
    case "landing": {
      const landing = read(LandingJob);
      return await withNextCheck(context, { claimed, lease, pull: landing.pull }, (tickContext) =>
        runLandingJob(tickContext, landing),
      );
    }
    case "review":
      return await withHeartbeat(lease, () => runReviewJob(job, read(ReviewQueueData)));
    case "session":
      return await withHeartbeat(lease, () => runSessionJob(job, read(SessionJobData)));
    case "talk":
      return await withHeartbeat(lease, () => runTalkJob(job, read(TalkJobData)));
    default:
      return never(claimed.queue);
  }
}

function reactionMsMax({ options }: ReconcilerContext): number {
  return options.reactionMsMax?.() ?? cadence.msMax;
}

/** While the list of repositories is unknown, the entry is left to other workers, or to a later time. */
function unwatched({ dependencies, options }: ReconcilerContext): JobOutcome {
  if (options.isListKnown?.() !== false) return { kind: "finished" };
  return { kind: "waits", at: after(dependencies.clock.now(), cadence.msMin) };
}

interface ClaimedPull {
  readonly claimed: ClaimedEntry;
  readonly lease: EntryLease;
  readonly pull: PullRef;
}

async function runTick(context: ReconcilerContext, claimedPull: ClaimedPull): Promise<JobOutcome> {
  const { pull } = claimedPull;
  return await withNextCheck(context, claimedPull, async (tickContext) => {
    const report = await tick(tickContext, pull);
    if (report.kind === "looked" && report.seen.isPolled && report.seen.pull.state === "open") {
      await pollSoon(context.dependencies, pull, { reactionMsMax: reactionMsMax(context), onQueue: context.onQueue });
    }
    context.options.onTick?.(pull, report, context.dependencies.log);
  });
}

/** The next check is queued before this entry is finished. */
async function withNextCheck(
  { dependencies, observer, onQueue }: ReconcilerContext,
  { claimed, lease, pull }: ClaimedPull,
  run: (context: TickContext) => Promise<void>,
): Promise<JobOutcome> {
  const times: Instant[] = [];
  const scheduleCheck = (at: Instant): void => {
    times.push(at);
  };
  // A large pull takes longer to read than a lease lasts. Acting has no heartbeat: the observation must not grow old.
  let { origin } = claimed;
  const withLease: Observer = {
    observe: async (ref) => {
      const look = await withHeartbeat(lease, () => observer.observe(ref));
      if (look.kind === "seen") origin = originOf(look.observed);
      return look;
    },
  };
  await run({ dependencies, observer: withLease, leaseUntil: lease.until, keepLease: lease.renewIfDue, scheduleCheck });
  const first = earliest(times);
  if (first !== undefined) {
    await dependencies.queue.put(tickEntry(dependencies.instance, pull, { at: onQueue(first), origin }));
  }
  return { kind: "finished" };
}

async function withHeartbeat<Result>(lease: EntryLease, run: () => Promise<Result>): Promise<Result> {
  const heart = lease.startHeartbeat();
  try {
    return await run();
  } finally {
    await heart.stop();
  }
}

async function runLandingJob(
  tickContext: TickContext,
  { pull, head, baseBranch }: { readonly pull: PullRef; readonly head: HeadSha; readonly baseBranch: string },
): Promise<void> {
  const look = await tickContext.observer.observe(pull);
  if (look.kind === "stale") {
    tickContext.scheduleCheck(look.retryAt);
    return;
  }
  const pullContext = createPullContext(tickContext.dependencies, look.observed, tickContext);
  const { merge, heads } = derive(pullContext.seen);
  const isWanted = merge.kind === "queued" && merge.head === head && heads.current.baseBranch === baseBranch;
  if (!isWanted) return;
  const landed = await ensureMerged(pullContext, {
    key: actionKey("merge", head, baseBranch),
    head,
    baseBranch,
    wish: merge.wish,
  });
  tickContext.scheduleCheck(landed.kind === "done" ? tickContext.dependencies.clock.now() : landed.at);
}

export async function runTalkJob(jobContext: JobContext, data: TalkJobData): Promise<JobOutcome> {
  const { key, task } = data;
  return await runJob(jobContext, data.pull, () =>
    withObservation(jobContext, data.pull, async (pullContext) => {
      switch (task.kind) {
        case "classify":
          return await classifyRemark(jobContext, pullContext, task);
        case "answer":
          return await answerQuestion(jobContext, pullContext, { key, task });
        case "resolve_dispute":
          return await resolveDispute(jobContext, pullContext, { key, task });
        default:
          return never(task);
      }
    }),
  );
}
