import { after, type Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { UnreadableError } from "#core/model/stored.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Parts } from "#ports/parts.ts";
import type { TakenEntry } from "#ports/queue.ts";
import { cadence } from "#reconcile/poll-cadence.ts";
import { retryAfter } from "#reconcile/tick.ts";

/** What the turn of an entry has at hand to bring it to an end in the queue. */
export interface Ending {
  readonly parts: Parts;
  /** A time of this machine's, as the queue tells it. */
  readonly onQueue: (at: Instant) => Instant;
}

/** Failing again and again, it is tried ever more seldom, and at least every hour or so. */
const doublingsMax = 8;
/** A bug that lasted for some four hours will last: people have to look at it. A forge that is away will be back. */
const bugTriesMax = 14;

export async function setAside(ending: Ending, taken: TakenEntry, error: unknown): Promise<void> {
  const { parts, onQueue } = ending;
  if (error instanceof UnreadableError && (await parts.store.isOutdated())) {
    await leaveToLater(ending, taken, error);
    return;
  }
  const at = nextTry(parts, taken, error);
  const facts = { queue: taken.queue, key: taken.key, attempt: taken.attempt };
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof ForgeError) {
    // Whoever follows the forge says once, for all entries, that it cannot be reached.
    if (!error.isUnreached) parts.log.warn({ ...facts, kind: error.kind, why }, "the forge did not serve it");
  } else parts.log.error({ ...facts, why }, "an entry of the queue failed");
  if (!(error instanceof ForgeError) && taken.attempt >= bugTriesMax) {
    parts.log.error({ ...facts, why }, "an entry of the queue is set aside until somebody puts it back");
    await parts.queue.bury(taken, why);
    return;
  }
  if (at === null) await parts.queue.finish(taken);
  else await parts.queue.retry(taken, onQueue(at));
}

/** An upgrade is over in minutes; whoever went back to an earlier version has this for as long as it lasts. */
const laterMsMax = 5 * minuteMs;
const laterMsMin = 2 * secondMs;
/** Each time both versions may take it, so the later one has it soon only where it is offered often. */
const soonTries = 20;

/**
 * During an upgrade two versions work beside each other. What the earlier one cannot read it leaves alone, for the later
 * one to take: it is never set aside for that, and does not wait for long.
 */
async function leaveToLater(ending: Ending, taken: TakenEntry, { message }: UnreadableError): Promise<void> {
  const { log, clock, queue, spans } = ending.parts;
  log.warn({ queue: taken.queue, key: taken.key, why: message }, "an entry of the queue is left to a later version");
  const doublings = Math.min(Math.max(0, taken.attempt - soonTries), doublingsMax);
  const waitMs = Math.min(laterMsMax, Math.min(laterMsMin, spans.retryMs) * 2 ** doublings);
  await queue.retry(taken, ending.onQueue(after(clock.now(), waitMs)));
}

/** Put in before it is finished, so that it is always there; the count of attempts begins anew. */
export async function putAnew({ parts, onQueue }: Ending, taken: TakenEntry, at: Instant): Promise<void> {
  const { queue, key, priority, payload, origin } = taken;
  await parts.queue.put({ queue, key, at: onQueue(at), whileRunning: "keep", priority, payload, origin });
  await parts.queue.finish(taken);
}

/** Null: never, it is about something that is gone. */
function nextTry({ clock, spans }: Parts, { queue, attempt }: TakenEntry, error: unknown): Instant | null {
  const now = clock.now();
  const waitMs = spans.retryMs * 2 ** Math.min(attempt - 1, doublingsMax);
  if (!(error instanceof ForgeError)) return after(now, waitMs);
  if (queue !== "poll") return retryAfter(error, { now, waitMs, attempt });
  // A repository that cannot be found was renamed, or taken from us, and may come back. Its entry is the only one that
  // would notice: it ends when nobody watches the repository, and for no answer of the forge's.
  return error.retryAt ?? after(now, Math.min(waitMs, cadence.msMax));
}
