import { contextOf } from "#act/body.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import { blankedText } from "#core/effects/effect-mark.ts";
import { duplicateRemarks } from "#core/effects/finding-mark.ts";
import { isOwnManaged } from "#core/effects/managed-effect.ts";
import { duplicatesIn, managedComments, type OwnText } from "#core/effects/own-effects.ts";

/**
 * What is there more than once is made to be there once: the oldest stays as it is, the others are blanked, nothing is
 * deleted. So even a worker that slept through its lease and sent what another had sent already does no lasting harm.
 */
export async function convergeEffects(turn: Turn): Promise<number> {
  const remarks = duplicateRemarks(turn.seen).map(
    (comment): OwnText => ({
      kind: "thread_comment",
      id: comment.id,
      at: comment.createdAt,
    }),
  );
  const duplicates = [...duplicatesIn(turn.effects), ...remarks, ...laterManaged(turn)];
  for (const text of duplicates) comeBackFor(turn, await blank(turn, text));
  for (const review of pendingReviews(turn))
    if (isLeftOver(turn, review)) comeBackFor(turn, await discard(turn, review));
  return duplicates.length;
}

/** Written under another name: by a worker whose clock is ahead, the first one was taken for deleted before it was shown. */
function laterManaged(turn: Turn): readonly OwnText[] {
  return managedComments(turn.seen, isOwnManaged(contextOf(turn), turn.parts.secret))
    .slice(1)
    .map(({ comment, at }) => ({ kind: "comment", id: comment, at }));
}

/** Nothing else may ask for a look at this pull: what could not be made right is tried again by itself. */
function comeBackFor(turn: Turn, outcome: Outcome): void {
  if (outcome.kind !== "done") turn.lookAgain(outcome.at);
}

async function blank(turn: Turn, text: OwnText): Promise<Outcome> {
  const { forge } = turn.parts;
  if (text.kind === "review" && !turn.seen.capabilities.mayEditReviewBodies) return { kind: "done", result: null };
  return await ensureState(turn, effectOf(`blank/${text.kind}/${text.id}`, "blanked"), () =>
    text.kind === "review"
      ? forge.editReview({ pull: turn.ref, review: text.id, body: blankedText })
      : forge.editComment({ pull: turn.ref, comment: text.id, body: blankedText }),
  );
}

/** Reviews of our own that are not submitted: their remarks would leak into the next one. */
export function pendingReviews(turn: Turn): Turn["seen"]["reviews"] {
  return turn.seen.reviews.filter(({ state, author }) => state === "pending" && author.id === turn.seen.bot.id);
}

/** A look may be a minute old, and discarding what was submitted since would delete it with its threads. */
function isLeftOver(turn: Turn, review: Turn["seen"]["reviews"][number]): boolean {
  return turn.seen.observedAt - review.submittedAt >= turn.parts.spans.settleMs;
}

async function discard(turn: Turn, review: Turn["seen"]["reviews"][number]): Promise<Outcome> {
  return await ensureState(turn, effectOf(`discard/${review.id}`, "discarded_review"), () =>
    turn.parts.forge.discardPendingReview({ pull: turn.ref, review: review.id }),
  );
}

function effectOf(key: string, kind: "blanked" | "discarded_review"): Effect {
  const why = { askedBy: "the crank", rule: "one effect for each key", inputs: [key] };
  return { key, kind, lane: key, head: null, why, note: { kind: "none" } };
}
