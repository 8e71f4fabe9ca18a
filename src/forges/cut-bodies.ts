import type { Comment } from "#core/model/conversation.ts";
import { Untrusted } from "#core/model/ids.ts";
import { type LimitName, limits } from "#core/model/limits.ts";
import type { PullSeen } from "#ports/forge.ts";

type Bodies = Pick<PullSeen, "pull" | "comments" | "reviews" | "threads">;

/** Cuts texts that are longer than anybody reads, and says so. */
export function cutBodies(seen: Bodies, note: (limit: LimitName, isCut: boolean) => void): Bodies {
  if (!isAnyLong(seen)) return seen;
  note("bodyCharactersMax", true);
  return {
    pull: cut(seen.pull),
    comments: seen.comments.map(cut),
    reviews: seen.reviews.map(cut),
    threads: seen.threads.map((thread) => ({ ...thread, comments: thread.comments.map(cut) })),
  };
}

function isAnyLong({ pull, comments, reviews, threads }: Bodies): boolean {
  return (
    isLong(pull) ||
    comments.some(isLong) ||
    reviews.some(isLong) ||
    threads.some((thread) => thread.comments.some(isLong))
  );
}

function isLong({ body }: Pick<Comment, "body">): boolean {
  return body.length > limits.bodyCharactersMax;
}

function cut<Item extends Pick<Comment, "body">>(item: Item): Item {
  return isLong(item) ? { ...item, body: Untrusted.parse(item.body.slice(0, limits.bodyCharactersMax)) } : item;
}
