import { backoffMs } from "#core/backoff.ts";
import { hourMs } from "#core/model/instant.ts";
import { crashLoopWords } from "#core/words/queue-words.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { ClaimedEntry } from "#ports/queue.ts";

/** Up to this many takeovers in a row have an ordinary cause, such as a deployment or a lost machine. */
const takeoversUsualMax = 2;
/** By then its leases add up to about three hours, which is also how long an entry that fails by a bug is retried. */
const takeoversMax = 10;
const deadlyLeaseMsMax = hourMs;

/**
 * An entry that crashes the process throws no error; only its takeover count shows it. Each attempt gets a longer lease,
 * so that the next crash comes later.
 */
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
