import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { FetchedPull } from "#ports/forge.ts";
import type { LastSeen } from "#ports/store.ts";

export type StaleReadCheck = { readonly sight: LastSeen } & (
  | { readonly kind: "whole" }
  | { readonly kind: "stale"; readonly retryAt: Instant; readonly why: string }
);

/** A stale read is soon followed by a better one. */
const retryMs = 5 * secondMs;

/** A forge reads from replicas and may show the past for a minute. What is missing has to stay missing for longer. */
export function checkForStaleRead(
  before: LastSeen,
  seen: FetchedPull,
  { now, settleMs }: { readonly now: Instant; readonly settleMs: number },
): StaleReadCheck {
  const remarks = remarksOf(seen);
  const present = new Set(remarks);
  const isMissing = before.remarks.some((id) => !present.has(id));
  const isOlder = before.changedAt !== null && seen.changedAt < before.changedAt;
  if (!isMissing && !isOlder) {
    const isSame =
      before.missingSince === null && before.changedAt === seen.changedAt && before.remarks.length === remarks.length;
    return { kind: "whole", sight: isSame ? before : { changedAt: seen.changedAt, remarks, missingSince: null } };
  }
  // A clock set back must not delay belief for ever, nor another worker's clock shorten it: the earlier time counts.
  const missingSince = earlier(before.missingSince ?? now, now);
  const believeAt = after(missingSince, settleMs);
  if (now >= believeAt) {
    return { kind: "whole", sight: { changedAt: seen.changedAt, remarks, missingSince: null } };
  }
  const sight = before.missingSince === missingSince ? before : { ...before, missingSince };
  const why = isMissing ? "remarks that were there are missing" : "the pull looks older than it did";
  return { kind: "stale", sight, retryAt: after(now, retryMs), why };
}

function earlier(left: Instant, right: Instant): Instant {
  return left < right ? left : right;
}

/** A pending review comes and goes. */
function remarksOf(seen: FetchedPull): readonly string[] {
  const ids = new Set<string>();
  for (const { id } of seen.comments) ids.add(`c${id}`);
  for (const { id, state } of seen.reviews) if (state !== "pending") ids.add(`r${id}`);
  for (const thread of seen.threads) for (const { id } of thread.comments) ids.add(`t${id}`);
  return [...ids];
}
