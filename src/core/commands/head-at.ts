import type { Instant } from "#core/model/instant.ts";
import type { HeadSeen } from "#core/model/pull.ts";

/**
 * An equal second proves nothing, so the head before it is the answer, which voids what must not be taken for the new
 * head. Entries with one time count in the order in which they were seen.
 */
export function headAt(heads: readonly HeadSeen[], at: Instant): HeadSeen | null {
  let standing: HeadSeen | null = null;
  for (const head of heads) {
    if (head.since < at && (standing === null || head.since >= standing.since)) standing = head;
  }
  return standing;
}
