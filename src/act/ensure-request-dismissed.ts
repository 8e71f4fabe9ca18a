import { ensureComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import type { Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";

/** Whoever asked for a review that the automatic one covers is told so, once. */
export async function ensureRequestDismissed(turn: Turn, action: ActionOf<"dismiss_manual_review">): Promise<Outcome> {
  const record = { comment: action.comment, head: action.head, status: "DISMISSED_BY_AUTO_REVIEW" } as const;
  return await ensureComment(turn, {
    key: action.key,
    kind: "dismissal",
    head: action.head,
    why: {
      askedBy: "the automatic review",
      rule: "an automatic review covers pending requests",
      inputs: [action.comment],
    },
    note: { kind: "manual_review", record },
    thread: null,
    words: action.text,
    blocks: [{ type: "manual-pr-review", data: record }],
  });
}
