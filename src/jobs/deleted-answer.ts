import { findComment } from "#act/ensure-comment.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after, type Instant, instant } from "#core/model/instant.ts";
import type { Obligation } from "#ports/store.ts";

type Deletion =
  | { readonly kind: "there" }
  | { readonly kind: "deleted" }
  /** The forge may not show so new an answer yet. */
  | { readonly kind: "unsure"; readonly until: Instant };

export interface DeletionPlace extends Pick<PullContext, "seen" | "askedAt"> {
  readonly ledger: readonly Pick<Obligation, "state">[];
  readonly now: Instant;
  readonly settleMs: number;
}

/** A deleted answer is unwanted, so no other one is paid for. */
export function findDeletion(place: DeletionPlace, answer: CommentId): Deletion {
  // On a pull that was not read whole it may be in the missing part.
  if (findComment(place, answer) !== undefined || place.seen.limitsReached.length > 0) return { kind: "there" };
  const times = place.ledger.flatMap(({ state }) =>
    state.kind === "done" && state.result === answer ? [state.at] : [],
  );
  // A later time was set by a clock that has been set back since.
  const saidAt = instant(Math.max(0, ...times.filter((at) => at <= place.now)));
  const until = after(saidAt, place.settleMs);
  return place.askedAt < until ? { kind: "unsure", until } : { kind: "deleted" };
}
