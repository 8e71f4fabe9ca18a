import { blockContextOf } from "#act/compose-body.ts";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import type { PullContext } from "#act/pull-context.ts";
import { blankedText } from "#core/effects/effect-mark.ts";
import { duplicateRemarks } from "#core/effects/finding-mark.ts";
import { isOwnManaged } from "#core/effects/managed-effect.ts";
import { duplicatesIn, managedComments, type OwnText } from "#core/effects/own-effects.ts";

/** A worker that was suspended may send an effect twice. The oldest stays, the others are blanked, none is deleted. */
export async function convergeEffects(context: PullContext): Promise<number> {
  const remarks = duplicateRemarks(context.seen).map(
    (comment): OwnText => ({
      kind: "thread_comment",
      id: comment.id,
      at: comment.createdAt,
    }),
  );
  const duplicates = [...duplicatesIn(context.effects), ...remarks, ...laterManaged(context)];
  for (const text of duplicates) comeBackFor(context, await blank(context, text));
  for (const review of pendingReviews(context))
    if (isLeftOver(context, review)) comeBackFor(context, await discard(context, review));
  return duplicates.length;
}

/** A worker whose clock is ahead took the first comment for deleted before the forge showed it. */
function laterManaged(context: PullContext): readonly OwnText[] {
  return managedComments(context.seen, isOwnManaged(blockContextOf(context), context.dependencies.secret))
    .slice(1)
    .map(({ comment, at }) => ({ kind: "comment", id: comment, at }));
}

/** No other event would tick this pull, so what failed is tried again. */
function comeBackFor(context: PullContext, outcome: EffectOutcome): void {
  if (outcome.kind !== "done") context.scheduleCheck(outcome.at);
}

async function blank(context: PullContext, text: OwnText): Promise<EffectOutcome> {
  const { forge } = context.dependencies;
  if (text.kind === "review" && !context.seen.capabilities.mayEditReviewBodies) return { kind: "done", result: null };
  return await ensureState(context, effectOf(`blank/${text.kind}/${text.id}`, "blanked"), () =>
    text.kind === "review"
      ? forge.editReview({ pull: context.ref, review: text.id, body: blankedText })
      : forge.editComment({ pull: context.ref, comment: text.id, body: blankedText }),
  );
}

/** The remarks of a review that was not submitted would become part of the next one. */
export function pendingReviews(context: PullContext): PullContext["seen"]["reviews"] {
  return context.seen.reviews.filter(({ state, author }) => state === "pending" && author.id === context.seen.bot.id);
}

/** The observation may be a minute old: discarding a review submitted since would delete its threads. */
function isLeftOver(context: PullContext, review: PullContext["seen"]["reviews"][number]): boolean {
  return context.seen.observedAt - review.submittedAt >= context.dependencies.durations.settleMs;
}

async function discard(context: PullContext, review: PullContext["seen"]["reviews"][number]): Promise<EffectOutcome> {
  return await ensureState(context, effectOf(`discard/${review.id}`, "discarded_review"), () =>
    context.dependencies.forge.discardPendingReview({ pull: context.ref, review: review.id }),
  );
}

function effectOf(key: string, kind: "blanked" | "discarded_review"): Effect {
  const why = { askedBy: "the crank", rule: "one effect for each key", inputs: [key] };
  return { key, kind, lane: key, head: null, why, note: { kind: "none" } };
}
