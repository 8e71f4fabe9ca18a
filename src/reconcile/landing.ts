import { ensureMerged } from "#act/ensure-merged.ts";
import { startTurn } from "#act/turn.ts";
import { derive } from "#core/derive/derive.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { actionKey } from "#core/plan/action-key.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { TickPlace } from "#reconcile/tick.ts";

/** Lands a pull that waits in the queue of its base branch, if everything that it waited for still holds. */
export async function land(
  place: TickPlace,
  { pull, head, baseBranch }: { readonly pull: PullRef; readonly head: HeadSha; readonly baseBranch: string },
): Promise<void> {
  const look = await place.observer.look(pull);
  if (look.kind === "stale") {
    place.lookAgain(look.retryAt);
    return;
  }
  const turn = startTurn(place.parts, look.observed, place);
  const { merge, heads } = derive(turn.seen);
  const isWanted = merge.kind === "queued" && merge.head === head && heads.current.baseBranch === baseBranch;
  if (!isWanted) return;
  const landed = await ensureMerged(turn, {
    key: actionKey("merge", head, baseBranch),
    head,
    baseBranch,
    wish: merge.wish,
  });
  place.lookAgain(landed.kind === "done" ? place.parts.clock.now() : landed.at);
}
