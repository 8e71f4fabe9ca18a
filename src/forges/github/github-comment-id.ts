import { CommentId } from "#core/model/ids.ts";

/** The two spaces share numbers: without the letter a guess could change another person's comment. */
export type CommentSpace = "conversation" | "thread";

const letters = { conversation: "i", thread: "r" } as const satisfies Record<CommentSpace, string>;

export function commentIdOf(space: CommentSpace, number: string): CommentId {
  return CommentId.parse(letters[space] + number);
}

export function readCommentId(id: CommentId): { readonly space: CommentSpace; readonly number: number } | undefined {
  const parts = /^([ir])(\d{1,15})$/.exec(id);
  if (parts === null) return undefined;
  return { space: parts[1] === letters.thread ? "thread" : "conversation", number: Number(parts[2]) };
}
