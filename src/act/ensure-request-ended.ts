import { ensureComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import { changeRecords, type Turn } from "#act/turn.ts";
import { takeNote } from "#core/effects/note.ts";
import type { ActionOf } from "#core/model/action.ts";

type Ended = ActionOf<"dismiss_manual_review" | "complete_manual_review">;

/** Whoever asked for a review is told once what became of it, where there is more to say than the review says. */
export async function ensureRequestEnded(turn: Turn, action: Ended): Promise<Outcome> {
  const { comment, head, text } = action;
  const isDismissed = action.kind === "dismiss_manual_review";
  const record = { comment, head, status: isDismissed ? "DISMISSED_BY_AUTO_REVIEW" : "COMPLETED" } as const;
  const note = { kind: "manual_review", record } as const;
  if (text === null) {
    await changeRecords(turn, (records) => takeNote(records, note, null));
    return { kind: "done", result: null };
  }
  return await ensureComment(turn, {
    key: action.key,
    kind: isDismissed ? "dismissal" : "completion",
    head,
    why: isDismissed
      ? { askedBy: "the automatic review", rule: "an automatic review covers pending requests", inputs: [comment] }
      : { askedBy: `comment ${comment}`, rule: "reviews.tellsEnd", inputs: [comment] },
    note,
    thread: null,
    words: text,
    blocks: [{ type: "manual-pr-review", data: record }],
  });
}
