import { backoffMs } from "#core/backoff.ts";
import { hourMs } from "#core/model/instant.ts";
import { crashLoopWords } from "#core/words/queue-words.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { ClaimedEntry } from "#ports/queue.ts";

/** So many in a row are an accident: a deployment, or a machine that went away. */
const takeoversUsualMax = 2;
/** By then its leases were some three hours together, about as long as a bug is given. */
const takeoversMax = 10;
const deadlyLeaseMsMax = hourMs;

/**
 * What ends the process throws nothing: that it was taken over again and again is all that tells of it. Before it is tried
 * once more its lease is made longer, so that its next victim comes later.
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
    log.error({ ...facts, why }, "an entry of the queue is set aside until somebody puts it back");
    await queue.quarantine(claimed, why);
    return false;
  }
  log.warn(facts, "nobody came back from an entry of the queue");
  const beyondUsual = takeovers - takeoversUsualMax;
  const leaseMs = backoffMs({ attempt: beyondUsual, firstMs: 2 * durations.leaseMs, maxMs: deadlyLeaseMsMax });
  return (await queue.extend(claimed, leaseMs)) === "kept";
}
