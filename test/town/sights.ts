import { blankedText } from "#core/effects/effect-mark.ts";
import type { Comment } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import { readSentinel } from "#core/words/sentinel.ts";
import type { SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Town } from "./town.ts";

/** What a reader of the page sees of Drover, by what it is. */

export function managedComments(town: Town, pull: PullRef): readonly Comment[] {
  return botComments(town, pull).filter(({ body }) => readSentinel(body)?.kind === "managed");
}

/** Everything it said in the conversation besides the managed comment, but for what was blanked. */
export function botWords(town: Town, pull: PullRef): readonly string[] {
  return botComments(town, pull)
    .filter(({ body }) => readSentinel(body)?.kind !== "managed" && body !== blankedText)
    .map(({ body }) => body);
}

export function blankedComments(town: Town, pull: PullRef): readonly Comment[] {
  return botComments(town, pull).filter(({ body }) => body === blankedText);
}

export function botComments(town: Town, pull: PullRef): readonly Comment[] {
  return town.look(pull).comments.filter(({ author }) => author.id === town.bot.id);
}

export function botReviews(town: Town, pull: PullRef): SandboxPull["reviews"] {
  return town.look(pull).reviews.filter(({ author }) => author.id === town.bot.id);
}

/** What the forge counts for the bot's account; undefined where it counts nothing. */
export function botVerdict(town: Town, pull: PullRef): "approve" | "request_changes" | undefined {
  return town.look(pull).verdicts.find(({ by }) => by.id === town.bot.id)?.event;
}

export function reactionsOn(town: Town, pull: PullRef, comment: CommentId): readonly string[] {
  return town
    .look(pull)
    .commentReactions.filter((one) => one.comment === comment && one.author.id === town.bot.id)
    .map(({ content }) => content);
}

/** The last word of the gate on the head. */
export function gateOf(town: Town, pull: PullRef): string | undefined {
  const { gates, pull: seen } = town.look(pull);
  return gates.findLast(({ head }) => head === seen.head.sha)?.state;
}
