import type { Instant } from "#core/model/instant.ts";
import type { HeadSeen } from "#core/model/pull.ts";

/**
 * The head that certainly stood at a moment, null where that cannot be proven. Forges tell time in whole seconds, so a
 * push and a comment with the same time may have come in either order: an equal time proves nothing, and the head
 * before it is the answer, which voids what must not be taken for the new one. Of two heads with the same time the later
 * entry counts, because heads are written down in the order in which they were seen.
 */
export function headAt(heads: readonly HeadSeen[], at: Instant): HeadSeen | null {
  let standing: HeadSeen | null = null;
  for (const head of heads) {
    if (head.since < at && (standing === null || head.since >= standing.since)) standing = head;
  }
  return standing;
}
