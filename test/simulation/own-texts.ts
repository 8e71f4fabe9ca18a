import type { PullRef } from "#ports/pull-ref.ts";
import { isOwn } from "./doers.ts";
import { type OwnText, readOwnText } from "./own-text.ts";
import type { Installation, World } from "./world.ts";

export interface SeenText {
  readonly kind: "comment" | "thread_comment" | "review";
  readonly id: string;
  readonly body: string;
  readonly own: OwnText;
}

/** Everything that a bot has written on a pull and that is still there. */
export function botTexts(world: World, installation: Installation, ref: PullRef): readonly SeenText[] {
  const { comments, threads, reviews } = world.sandbox.look(ref);
  const texts: SeenText[] = [];
  const add = (kind: SeenText["kind"], text: { readonly id: string; readonly body: string }): void => {
    texts.push({ kind, id: `${kind} ${text.id}`, body: text.body, own: readOwnText(text.body) });
  };
  for (const comment of comments) if (isOwn(world, installation, comment)) add("comment", comment);
  for (const thread of threads) {
    for (const comment of thread.comments) if (isOwn(world, installation, comment)) add("thread_comment", comment);
  }
  for (const review of reviews)
    if (review.state !== "pending" && isOwn(world, installation, review)) add("review", review);
  return texts;
}
