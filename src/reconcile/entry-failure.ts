import { backoffMs } from "#core/backoff.ts";
import { errorText } from "#core/error-text.ts";
import { after, hourMs, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { UnreadableError } from "#core/model/stored.ts";
import { cadence } from "#core/plan/next-check.ts";
import { crashLoopWords } from "#core/words/queue-words.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import type { ClaimedEntry } from "#ports/queue.ts";
import { retryAfter } from "#reconcile/tick.ts";

export interface EntryContext {
  readonly dependencies: Dependencies;
  /** Converts a time of this machine's clock to the queue's. */
  readonly onQueue: (at: Instant) => Instant;
}

/** Retries become less frequent, down to about one an hour. */
const growthMax = 2 ** 8;
/** A bug that lasted for some four hours needs people. A forge that is away comes back. */
const bugTriesMax = 14;

export async function handleEntryFailure(ending: EntryContext, claimed: ClaimedEntry, error: unknown): Promise<void> {
  const { dependencies, onQueue } = ending;
  if (error instanceof UnreadableError && (await dependencies.store.isOutdated())) {
    await leaveToLater(ending, claimed, error);
    return;
  }
  const at = nextTry(dependencies, claimed, error);
  const facts = { queue: claimed.queue, key: claimed.key, attempt: claimed.attempt };
  const why = errorText(error);
  if (error instanceof ForgeError) {
    // The watcher of the forge reports once, for all entries, that it cannot be reached.
    if (!error.isUnreached)
      dependencies.log.warn({ ...facts, kind: error.kind, why }, "the forge did not serve a queue entry");
  } else dependencies.log.error({ ...facts, why }, "a queue entry failed");
  if (!(error instanceof ForgeError) && claimed.attempt >= bugTriesMax) {
    dependencies.log.error({ ...facts, why }, "a queue entry is quarantined; `drover queue retry` restores it");
    await dependencies.queue.quarantine(claimed, why);
    return;
  }
  if (at === null) await dependencies.queue.finish(claimed);
  else await dependencies.queue.retry(claimed, onQueue(at));
}

/** An upgrade is over in minutes; after a downgrade this holds until the newer version is back. */
const laterMsMax = 5 * minuteMs;
const laterMsMin = 2 * secondMs;
/** Either version may take each offer, so the later one gets it soon only if it is offered often. */
const soonTries = 20;

/** During an upgrade two versions run. What the earlier one cannot read is never set aside, and soon offered again. */
async function leaveToLater(ending: EntryContext, claimed: ClaimedEntry, { message }: UnreadableError): Promise<void> {
  const { log, clock, queue, durations } = ending.dependencies;
  log.warn({ queue: claimed.queue, key: claimed.key, why: message }, "a queue entry is left to a later version");
  const firstMs = Math.min(laterMsMin, durations.retryMs);
  const maxMs = Math.min(laterMsMax, growthMax * firstMs);
  const waitMs = backoffMs({ attempt: claimed.attempt - soonTries + 1, firstMs, maxMs });
  await queue.retry(claimed, ending.onQueue(after(clock.now(), waitMs)));
}

/** Put in before it is finished, so that it is always there. The count of attempts begins anew. */
export async function requeueEntry(
  { dependencies, onQueue }: EntryContext,
  claimed: ClaimedEntry,
  at: Instant,
): Promise<void> {
  const { queue, key, priority, payload, origin } = claimed;
  await dependencies.queue.put({ queue, key, at: onQueue(at), whileRunning: "keep", priority, payload, origin });
  await dependencies.queue.finish(claimed);
}

/** Null: never, the pull or repository is gone. */
function nextTry({ clock, durations }: Dependencies, { queue, attempt }: ClaimedEntry, error: unknown): Instant | null {
  const now = clock.now();
  const { retryMs } = durations;
  const waitMs = backoffMs({ attempt, firstMs: retryMs, maxMs: growthMax * retryMs });
  if (!(error instanceof ForgeError)) return after(now, waitMs);
  if (queue !== "poll") return retryAfter(error, { now, waitMs, attempt });
  // A missing repository may come back, and only this entry would notice. It ends when the repository is unwatched.
  return error.retryAt ?? after(now, Math.min(waitMs, cadence.msMax));
}

/** Up to this many takeovers in a row have an ordinary cause, such as a deployment or a lost machine. */
const takeoversUsualMax = 2;
/** By then its leases add up to about three hours, as long as an entry with a bug is retried. */
const takeoversMax = 10;
const deadlyLeaseMsMax = hourMs;

/** An entry that crashes the process throws no error; only takeovers show it. Longer leases delay the next crash. */
export async function mayRunAfterTakeovers(
  { queue, durations, log }: Dependencies,
  claimed: ClaimedEntry,
): Promise<boolean> {
  const { takeovers } = claimed;
  if (takeovers <= takeoversUsualMax) return true;
  const facts = { queue: claimed.queue, key: claimed.key, takeovers };
  if (takeovers >= takeoversMax) {
    const why = crashLoopWords(takeovers);
    log.error({ ...facts, why }, "a queue entry is quarantined; `drover queue retry` restores it");
    await queue.quarantine(claimed, why);
    return false;
  }
  log.warn(facts, "workers crashed while they ran a queue entry");
  const beyondUsual = takeovers - takeoversUsualMax;
  const leaseMs = backoffMs({ attempt: beyondUsual, firstMs: 2 * durations.leaseMs, maxMs: deadlyLeaseMsMax });
  return (await queue.extend(claimed, leaseMs)) === "kept";
}
