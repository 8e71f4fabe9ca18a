import type { Reaction, Review } from "#core/model/conversation.ts";

/** Gitea's reactions have no id, so a reaction is its author and its time: a thumb that was given again is another. */
export function reactionSignalId(reaction: Reaction): string {
  return `reaction:${reaction.author.id}:${reaction.createdAt}`;
}

export function reviewSignalId(review: Review): string {
  return `review:${review.id}`;
}
