import type { CommentId, HeadSha } from "#core/model/ids.ts";
import type { Records } from "#core/model/records.ts";

/** Another head, base or `merge` command makes another merge. */
export interface DelegatedMerge {
  readonly head: HeadSha;
  readonly baseBranch: string;
  readonly wish: CommentId | null;
}

type HandOverState = "taken" | "given_back";

/** Kept among the escalations, which are never deleted: a new field would make older versions refuse the records. */
export function isDelegated(
  records: Pick<Records, "escalations">,
  state: HandOverState,
  handOver: DelegatedMerge,
): boolean {
  return records.escalations.includes(markOf(state, handOver));
}

export function recordDelegation(records: Records, state: HandOverState, handOver: DelegatedMerge): Records {
  if (isDelegated(records, state, handOver)) return records;
  return { ...records, escalations: [...records.escalations, markOf(state, handOver)] };
}

function markOf(state: HandOverState, { head, baseBranch, wish }: DelegatedMerge): string {
  return `hand_over ${state} ${JSON.stringify([head, wish, baseBranch])}`;
}
