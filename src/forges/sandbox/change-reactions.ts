import type { Account } from "#core/model/account.ts";
import type { Reaction } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import { reviewOfText, reviewTextId } from "#core/model/review-text.ts";
import type { CommentPlace } from "#forges/sandbox/change-comments.ts";
import { isPending, type PullState } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { notFound } from "#forges/sandbox/refusal.ts";
import { newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

export interface ReactionChange {
  readonly by: Account;
  readonly content: Reaction["content"];
}

/** Twice is once, and no webhook is sent. */
export function addReaction(world: World, entry: PullEntry, { by, content }: ReactionChange): "added" | "known" {
  const { reactions } = newestOf(entry);
  if (reactions.some((reaction) => isSame(reaction, { by, content }))) return "known";
  recordPullChange(world, entry, {
    by,
    what: { kind: "reacted", comment: null, content },
    next: { reactions: [...reactions, { author: by, content, createdAt: world.now() }] },
    moves: "nothing",
  });
  return "added";
}

export function removeReaction(world: World, entry: PullEntry, { by, content }: ReactionChange): void {
  const { reactions } = newestOf(entry);
  const left = reactions.filter((reaction) => !isSame(reaction, { by, content }));
  if (left.length === reactions.length) return;
  const what = { kind: "unreacted", comment: null, content } as const;
  recordPullChange(world, entry, { by, what, next: { reactions: left }, moves: "nothing" });
}

/** On the text of a review it is kept under the id that the text has as a remark, on all forges. */
export function addCommentReaction(
  world: World,
  entry: PullEntry,
  change: ReactionChange & { readonly comment: CommentId; readonly place: CommentPlace | "review" },
): "added" | "known" {
  const { by, content } = change;
  const state = newestOf(entry);
  const comment = subjectOf(state, change);
  const isRefused = !world.quirks.reactsToReviews && comment !== undefined && reviewOfText(comment) !== undefined;
  if (comment === undefined || isRefused) throw notFound();
  const { commentReactions } = state;
  if (commentReactions.some((reaction) => reaction.comment === comment && isSame(reaction, change))) return "known";
  recordPullChange(world, entry, {
    by,
    what: { kind: "reacted", comment, content },
    next: { commentReactions: [...commentReactions, { author: by, content, createdAt: world.now(), comment }] },
    moves: "nothing",
  });
  return "added";
}

function subjectOf(
  state: PullState,
  asked: { readonly comment: CommentId; readonly place: CommentPlace | "review" },
): CommentId | undefined {
  const { comment, place } = asked;
  if (place !== "review" && hasComment(state, { comment, place })) return comment;
  const review = state.reviews.find(({ id, bodyComment }) =>
    place === "review" ? reviewTextId(id) === comment : place === "anywhere" && bodyComment === comment,
  );
  return review === undefined || isPending(review) ? undefined : reviewTextId(review.id);
}

function hasComment(
  { comments, threads }: PullState,
  { comment, place }: { readonly comment: CommentId; readonly place: CommentPlace },
): boolean {
  const isThere = ({ id }: { readonly id: CommentId }): boolean => id === comment;
  if (place !== "thread" && comments.some(isThere)) return true;
  return place !== "conversation" && threads.some((thread) => thread.comments.some(isThere));
}

function isSame(reaction: Reaction, { by, content }: ReactionChange): boolean {
  return reaction.author.id === by.id && reaction.content === content;
}
