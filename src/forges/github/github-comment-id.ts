import { CommentId } from "#core/model/ids.ts";

/**
 * GitHub numbers the comments of conversations and those of threads apart, and each number is taken in both. The
 * letter says which it is: a guess would sooner or later change another person's comment.
 */
export type CommentSpace = "conversation" | "thread";

const letters = { conversation: "i", thread: "r" } as const satisfies Record<CommentSpace, string>;

export function commentIdOf(space: CommentSpace, number: string): CommentId {
  return CommentId.parse(letters[space] + number);
}

/** Undefined for an id that is none of GitHub's. */
export function readCommentId(id: CommentId): { readonly space: CommentSpace; readonly number: number } | undefined {
  const parts = /^([ir])(\d{1,15})$/.exec(id);
  if (parts === null) return undefined;
  return { space: parts[1] === letters.thread ? "thread" : "conversation", number: Number(parts[2]) };
}
