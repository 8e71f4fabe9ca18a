import type { Comment } from "#core/model/conversation.ts";
import { Untrusted } from "#core/model/ids.ts";
import { type LimitName, limits } from "#core/model/limits.ts";
import type { FetchedPull } from "#ports/forge.ts";

type Bodies = Pick<FetchedPull, "pull" | "comments" | "reviews" | "threads">;

/** A remark notes its own cut, which matters by its author; a cut description concerns the whole pull. */
export function cutBodies(seen: Bodies, note: (limit: LimitName, isCut: boolean) => void): Bodies {
  const { pull, comments, reviews, threads } = seen;
  note("bodyCharactersMax", isLong(pull));
  return {
    pull: isLong(pull) ? { ...pull, body: cutBody(pull) } : pull,
    comments: cutAll(comments),
    reviews: cutAll(reviews),
    threads: threads.map((thread) =>
      thread.comments.some(isLong) ? { ...thread, comments: cutAll(thread.comments) } : thread,
    ),
  };
}

function cutAll<Item extends Pick<Comment, "body">>(items: readonly Item[]): readonly Item[] {
  return items.some(isLong)
    ? items.map((item) => (isLong(item) ? { ...item, body: cutBody(item), isCut: true } : item))
    : items;
}

function isLong({ body }: Pick<Comment, "body">): boolean {
  return body.length > limits.bodyCharactersMax;
}

function cutBody({ body }: Pick<Comment, "body">): Untrusted {
  return Untrusted.parse(body.slice(0, limits.bodyCharactersMax));
}
