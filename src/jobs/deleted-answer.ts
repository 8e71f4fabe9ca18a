import { findComment } from "#act/ensure-comment.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after, type Instant, instant } from "#core/model/instant.ts";
import type { Obligation } from "#ports/store.ts";

type Deletion =
  | { readonly kind: "there" }
  | { readonly kind: "deleted" }
  /** The answer is so new that the forge may not show it yet. */
  | { readonly kind: "unsure"; readonly until: Instant };

export interface DeletionPlace extends Pick<PullContext, "seen" | "askedAt"> {
  /** Everything that was written on the pull, as far as it is known when. */
  readonly ledger: readonly Pick<Obligation, "state">[];
  readonly now: Instant;
  readonly settleMs: number;
}

/** Whether an answer was deleted. A deleted answer is not wanted, so no other one is paid for. */
export function findDeletion(place: DeletionPlace, answer: CommentId): Deletion {
  // Of a pull that was not seen whole it may be among the rest.
  if (findComment(place, answer) !== undefined || place.seen.limitsReached.length > 0) return { kind: "there" };
  const times = place.ledger.flatMap(({ state }) =>
    state.kind === "done" && state.result === answer ? [state.at] : [],
  );
  // A time that has not come yet was told by a clock that was set back since.
  const saidAt = instant(Math.max(0, ...times.filter((at) => at <= place.now)));
  const until = after(saidAt, place.settleMs);
  return place.askedAt < until ? { kind: "unsure", until } : { kind: "deleted" };
}
