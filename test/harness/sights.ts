import { blankedText } from "#core/effects/effect-mark.ts";
import { readSentinel } from "#core/effects/sentinel.ts";
import type { Comment } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { Harness } from "./harness.ts";

/** What a reader of the page sees of Drover, by what it is. */

export function managedComments(harness: Harness, pull: PullRef): readonly Comment[] {
  return botComments(harness, pull).filter(({ body }) => readSentinel(body)?.kind === "managed");
}

/** Everything it said in the conversation besides the managed comment, but for what was blanked. */
export function botWords(harness: Harness, pull: PullRef): readonly string[] {
  return botComments(harness, pull)
    .filter(({ body }) => readSentinel(body)?.kind !== "managed" && body !== blankedText)
    .map(({ body }) => body);
}

export function blankedComments(harness: Harness, pull: PullRef): readonly Comment[] {
  return botComments(harness, pull).filter(({ body }) => body === blankedText);
}

export function botComments(harness: Harness, pull: PullRef): readonly Comment[] {
  return harness.look(pull).comments.filter(({ author }) => author.id === harness.bot.id);
}

export function botReviews(harness: Harness, pull: PullRef): SandboxPull["reviews"] {
  return harness.look(pull).reviews.filter(({ author }) => author.id === harness.bot.id);
}

/** What the forge counts for the bot's account; undefined where it counts nothing. */
export function botVerdict(harness: Harness, pull: PullRef): "approve" | "request_changes" | undefined {
  return harness.look(pull).verdicts.find(({ by }) => by.id === harness.bot.id)?.event;
}

export function reactionsOn(harness: Harness, pull: PullRef, comment: CommentId): readonly string[] {
  return harness
    .look(pull)
    .commentReactions.filter((one) => one.comment === comment && one.author.id === harness.bot.id)
    .map(({ content }) => content);
}

/** The last word of the gate on the head. */
export function gateOf(harness: Harness, pull: PullRef): string | undefined {
  const { gates, pull: seen } = harness.look(pull);
  return gates.findLast(({ head }) => head === seen.head.sha)?.state;
}
