import * as z from "zod";
import type { Account } from "#core/model/account.ts";
import { Comment } from "#core/model/conversation.ts";
import { AccountId } from "#core/model/ids.ts";
import { type Instant, instant } from "#core/model/instant.ts";

export const User = z.object({ id: z.number(), login: z.string() });

/** What all kinds of comments have in common. */
export const ToldComment = z.object({
  id: z.number(),
  user: User,
  body: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export function readComment({ id, user, body, created_at, updated_at }: z.infer<typeof ToldComment>): Comment {
  const [createdAt, updatedAt] = [timeOf(created_at), timeOf(updated_at)];
  return Comment.parse({
    id: String(id),
    author: accountOf(user),
    body,
    createdAt,
    editedAt: updatedAt > createdAt ? updatedAt : null,
  });
}

/** Gitea does not tell people from bots. */
export function accountOf({ id, login }: z.infer<typeof User>): Account {
  return { id: AccountId.parse(String(id)), login, kind: "person" };
}

export function timeOf(text: string): Instant {
  return instant(Date.parse(text));
}
