import type { Reaction, Review } from "#core/model/conversation.ts";

/**
 * The name by which an approval is recorded and found again. Gitea's reactions have no id, so a reaction is its author and
 * its time: a thumb that was taken away and given again is another approval. What was reacted is left out, because only
 * thumbs are ever recorded.
 */
export function reactionSignalId(reaction: Reaction): string {
  return `reaction:${reaction.author.id}:${reaction.createdAt}`;
}

export function reviewSignalId(review: Review): string {
  return `review:${review.id}`;
}
